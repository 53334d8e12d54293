"""The running demo as the conformance test sees it: people who can sign or are logged in, and ids that exist.

Everything is made over the service's own HTTP, out of `demo.json`. Nothing here knows of schemathesis; `hooks.py` does.
"""

import base64
import hashlib
import hmac
import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path

import requests
from requests.auth import AuthBase

# People that an operator adds, to be logged in: keys are created, rotated and revoked at most twice in a session, and
# logging out ends it. Each costs a password hash or two, so there are few.
MEMBERS = 8
PASSWORD = "correct horse battery staple"
TIMEOUT_SECONDS = 20


@dataclass(frozen=True)
class Trader(AuthBase):
    """Signs what it is attached to, over the raw path and the raw body."""

    public_key: str
    secret_key: str

    def __call__(self, request):
        body = request.body or b""
        body = body.encode() if isinstance(body, str) else body
        path = request.path_url.split("?", 1)[0]
        timestamp = str(int(time.time()))
        body_hash = hashlib.sha256(body).hexdigest() if body else ""
        payload = f"{timestamp}.{request.method.upper()}.{path}.{body_hash}"
        signature = hmac.new(self.secret_key.encode(), payload.encode(), hashlib.sha256).digest()
        request.headers["X-Public-Key"] = self.public_key
        request.headers["X-Timestamp"] = timestamp
        request.headers["X-Signature"] = base64.b64encode(signature).decode()
        return request


@dataclass(frozen=True)
class Market:
    """A market that trades, and the event it is in."""

    event: str
    slug: str
    engine: str
    market: str
    outcomes: tuple[str, str]


@dataclass
class Member:
    """Someone logged in, with one key."""

    headers: dict[str, str]
    key: str


@dataclass
class World:
    base_url: str
    traders: list[Trader]
    markets: list[Market]
    members: list[Member]
    # Addresses and passwords of people who have not logged in yet: each may once in two minutes.
    logins: list[dict[str, str]]
    users: list[str]
    series: list[str] = field(default_factory=list)

    def fresh_order(self, trader, number):
        """A resting order of the trader, so that there is one to cancel, amend or read. None: it was refused."""
        books = [market for market in self.markets if market.engine == "CLOB"]
        market = books[number % len(books)]
        order = {"side": "BUY", "type": "LIMIT", "price": 0.01, "amount": 1, "outcomeId": market.outcomes[0]}
        path = f"/v1/pm/events/{market.event}/markets/{market.market}/orders"
        answer = requests.post(self.base_url + path, json=order, auth=trader, timeout=TIMEOUT_SECONDS)
        return answer.json()["order"]["id"] if answer.status_code == 200 else None


def meet():
    """Reads `demo.json`, logs people in, looks up what there is, and gives the traders something to sell."""
    demo = json.loads(Path(os.environ["CONFORMANCE_DEMO"]).read_text())
    base_url = demo["baseUrl"]
    traders = [Trader(user["publicKey"], user["secretKey"]) for user in demo["users"][:3]]
    markets = list(find_markets(base_url))
    for trader in traders:
        for market in markets:
            for currency, quantity in [("USD", 500), ("NGN", 50_000)]:
                body = {"quantity": quantity, "currency": currency}
                post(f"{base_url}/v1/pm/markets/{market.market}/mint", body, auth=trader)
    return World(
        base_url=base_url,
        traders=traders,
        markets=markets,
        members=[add_member(demo, number) for number in range(MEMBERS)],
        logins=[{"email": user["email"], "password": user["password"]} for user in demo["users"][3:]],
        users=[user["userId"] for user in demo["users"]],
        series=find_series(base_url),
    )


def find_markets(base_url):
    answer = requests.get(f"{base_url}/v1/pm/events", params={"size": 100}, timeout=TIMEOUT_SECONDS)
    answer.raise_for_status()
    for event in answer.json()["events"]:
        for market in event["markets"]:
            outcomes = (market["outcome1Id"], market["outcome2Id"])
            yield Market(event["id"], event["slug"], event["engine"], market["id"], outcomes)


def find_series(base_url):
    """Slugs of series, if there are any: the demo may have none."""
    answer = requests.get(f"{base_url}/v1/pm/events/series", timeout=TIMEOUT_SECONDS)
    return [series["slug"] for series in answer.json()["series"]] if answer.status_code == 200 else []


def add_member(demo, number):
    operator = {"Authorization": f"Bearer {demo['operatorToken']}"}
    person = {"email": f"member-{number}@conformance.example", "tag": f"member_{number}", "password": PASSWORD}
    post(f"{demo['adminUrl']}/admin/v1/users", person, headers=operator)
    login = {"email": person["email"], "password": PASSWORD}
    session = post(f"{demo['baseUrl']}/v1/user/login", login)
    headers = {"x-auth-token": session["token"], "x-device-id": session["deviceId"]}
    key = post(f"{demo['baseUrl']}/v1/user/me/api-keys", {"name": "first"}, headers=headers)
    return Member(headers, key["id"])


def post(url, body, **how):
    answer = requests.post(url, json=body, timeout=TIMEOUT_SECONDS, **how)
    if answer.status_code >= 300:
        raise RuntimeError(f"{url}: {answer.status_code} {answer.text}")
    return answer.json()
