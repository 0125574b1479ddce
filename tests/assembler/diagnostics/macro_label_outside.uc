#macro wait(n)
again#: br[again#]
#endm
wait(1)
br[again#]
