#!/usr/bin/env python3
"""A program that speaks the protocol itself, as one in any language does: it takes its first choice."""

import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "hello":
        answer = {"type": "ready", "id": request["id"], "version": "7"}
    elif request["type"] == "start":
        answer = {"type": "ok", "id": request["id"]}
    elif request["type"] == "act":
        print(len(request["legal"]), "choices", file=sys.stderr)
        answer = {"type": "action", "id": request["id"], "action": request["legal"][0]}
    else:
        continue
    print(json.dumps(answer), flush=True)
