"""A bot of Diamant: leaves once it holds enough.

carat simulate diamant --seat "exec:python3 scripts/bots/threshold.py 12" --others people
"""

import json
import sys

target = float(sys.argv[1]) if len(sys.argv) > 1 else 12

json.loads(sys.stdin.readline())  # what carat offers: the question and all features
print(json.dumps({"features": ["held"]}), flush=True)

for line in sys.stdin:
    asked = json.loads(line)
    answers = [decision["features"]["held"] >= target for decision in asked["decisions"]]
    print(json.dumps({"id": asked["id"], "answers": answers}), flush=True)
