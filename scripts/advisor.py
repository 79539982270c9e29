"""A page that advises in Diamant, over `carat engine`: python3 scripts/advisor.py [PORT]

Open http://localhost:8000, type the cards of the expedition, and read what each option is worth.
"""

import html
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

PAGE = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Leave or stay?</title>
<style>body {{ font: 18px sans-serif; margin: 2em auto; max-width: 32em; padding: 0 1em }}
input {{ font: inherit; width: 100%; box-sizing: border-box }} td, th {{ padding: .2em 1em .2em 0 }}
.best {{ font-weight: bold }}</style>
<h1>Leave or stay?</h1>
<form><p><label>Players <input name="players" value="{players}"></label>
<p><label>Cards and who left: <input name="cards" value="{cards}" autofocus></label>
<p><button>Advise</button></form>{answer}"""

ENGINE = subprocess.Popen([os.environ.get("CARAT", "carat"), "engine", "--threads", "1"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
LOCK = threading.Lock()


def ask(question):
    with LOCK:  # one question at a time: the next line is its answer
        ENGINE.stdin.write(json.dumps(question) + "\n")
        ENGINE.stdin.flush()
        return json.loads(ENGINE.stdout.readline())


def advice(players, cards):
    table = {"game": "diamant", "players": players, "seats": ["simple"], "others": "people"}
    reply = ask({"ask": "advise", "table": table, "situation": cards, "playouts": 20000})
    if "worth" not in reply:
        return f"<p>{html.escape(reply.get('error') or reply['situation'])}"
    rows = "".join(
        f"<tr class={'best' if reply['best'] == at else 'other'}><td>{option}"
        f"<td>{100 * worth['win_share']:.1f} %<td>{worth['score_mean']:.1f}"
        for at, (option, worth) in enumerate(zip(reply["options"], reply["worth"])))
    return f"<p>{html.escape(reply['situation'])}<table><tr><th>option<th>wins<th>rubies{rows}</table>"


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        asked = {key: values[0] for key, values in parse_qs(urlparse(self.path).query).items()}
        players, cards = asked.get("players", "4"), asked.get("cards", "")
        answer = advice(int(players), cards) if cards and players.isdecimal() else ""
        fields = {"players": html.escape(players), "cards": html.escape(cards), "answer": answer}
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE.format(**fields).encode())


if __name__ == "__main__":
    ThreadingHTTPServer(("localhost", int((sys.argv[1:] or ["8000"])[0])), Page).serve_forever()
