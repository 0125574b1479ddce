"""A JSON file with members of its top level in place of its own: `with_part.py FILE PART`, where PART is `"name": value, ...`."""
import json
import re
import sys


def without_comments(text):
    return re.sub(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*', lambda m: m.group(1) or "", text)


whole = json.loads(without_comments(open(sys.argv[1], encoding="utf-8").read()))
part = json.loads("{" + without_comments(open(sys.argv[2], encoding="utf-8").read()) + "}")
json.dump({**whole, **part}, sys.stdout, indent=1)
