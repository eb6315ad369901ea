"""Receives the messages of a webhook and prints each once, as a line of JSON: the standard library is all it needs.

WEBHOOK_SECRET=whsec_... python3 receiver.py

Behind it, put whatever brings https to a public name.
"""

import base64
import hashlib
import hmac
import os
import re
import sqlite3
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
# Anybody can sign with an empty key.
if not re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", SECRET):
    sys.exit("WEBHOOK_SECRET must be the secret of the webhook: whsec_ and 44 characters.")
KEY = base64.b64decode(SECRET.removeprefix("whsec_"))
PORT = int(os.environ.get("PORT", "9000"))
TOLERANCE = 5 * 60

# The ids of received messages, including those of earlier runs.
seen = sqlite3.connect(os.environ.get("SEEN", "seen-messages.db"))
seen.execute("CREATE TABLE IF NOT EXISTS messages (id TEXT PRIMARY KEY)")


def is_genuine(headers, body):
    """Checks that a message was signed with the secret a short time ago. During a rotation, it has two signatures."""
    sent = headers.get("webhook-timestamp", "")
    if not sent.isdigit() or abs(time.time() - int(sent)) > TOLERANCE:
        return False
    signed = f"{headers.get('webhook-id')}.{sent}.".encode() + body
    expected = base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(signature, f"v1,{expected}") for signature in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(self.headers, body):
            return self.answer(401)
        id = self.headers["webhook-id"]
        with seen:
            is_new = seen.execute("INSERT OR IGNORE INTO messages VALUES (?)", [id]).rowcount
            if is_new:
                # The message names the record: fetch it from the API here. If this fails,
                # the id is forgotten and the message is sent again.
                print(body.decode(), flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


print(f"Listening on http://localhost:{PORT}", file=sys.stderr, flush=True)
HTTPServer(("", PORT), Receiver).serve_forever()
