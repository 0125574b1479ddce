// What the workbench makes of one rule, in its place: accept destination-port 80.
#macro compiled_rules(in_source, in_destination, in_ports, in_kind, TO_ACCEPT, TO_DROP)
    br!=byte[in_ports, 0, 80, TO_DROP]
    br!=byte[in_ports, 1, 0, TO_DROP]
    br[TO_ACCEPT]
#endm
