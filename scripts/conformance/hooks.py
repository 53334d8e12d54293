"""What schemathesis is told about Bellwether: how requests are signed, and which ids exist.

Operations come from the OpenAPI document alone: an id is filled in by the name of its parameter or field, credentials by
the operation's `security`. All choices follow from the generated case, so that the same seed sends the same requests.
"""

import atexit
import json
import re
import zlib
from collections import Counter
from urllib.parse import parse_qsl, urlsplit

import schemathesis
import world as demo

WORLD = demo.meet()
UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")

# Rules that no schema of one request can state: between two fields, of the clock, of the market. Data that keeps to the
# schema may be refused by them, and by nothing else.
BEYOND_SCHEMAS = (
    "has an exponent out of range",
    "q: must have a letter or a digit",
    "tag or userId: one of them is required",
    "tag and userId: give one of them, not both",
    "outcome or outcomeId: one of them is required",
    "start and end: give both or neither",
    "from: must not be after to",
    "start: must not be after end",
    "must be a nextCursor of an earlier page",
    "This market trades against a pool: it has no ticker",
    "outcomeId: is not an outcome of this market",
    "price: is required for a LIMIT order",
    "postOnly: is for LIMIT orders only",
    "postOnly: does not go with timeInForce FAK or FOK",
    "timeInForce: a MARKET order is FAK or FOK",
    "expiresAt: is required for a GTD order",
    "expiresAt: must be in the future",
    "endpoint: ",
    "The amount must not exceed",
    "Minimum buy amount is",
    "Minimum sell amount is",
    "The amount is less than the smallest part of a share costs",
)

# Cases that were sent without credentials, or with wrong ones.
UNKNOWN_CALLERS = set()
STATUSES = Counter()
SUCCESSES = {}


class Choices:
    """Numbers that follow from a case: `among(n)` gives one below n, another at each call."""

    def __init__(self, case):
        body = case.body if is_json(case.body) else None
        parts = [case.method, case.path, case.path_parameters, case.query, case.headers, body]
        self.state = zlib.crc32(json.dumps(parts, sort_keys=True, default=repr).encode())

    def among(self, count):
        self.state = zlib.crc32(self.state.to_bytes(4, "big"))
        return self.state % count


@schemathesis.hook
def before_call(context, case, kwargs):
    choices = Choices(case)
    access = access_of(case.operation)
    trader = WORLD.traders[choices.among(len(WORLD.traders))]
    member = WORLD.members[choices.among(len(WORLD.members))]
    # One case in six keeps the ids that were made up: nothing is found under them.
    if choices.among(6) > 0:
        fill(case, Ids(choices, trader, member))
    # One in six comes with no credentials, one with wrong ones.
    variant = choices.among(6)
    # Where nothing can vary all generated cases are alike: they come from someone who is known.
    if not (case.path_parameters or case.query or is_json(case.body)) and phase_of(case) == "fuzzing":
        variant = 2
    case.headers = dict(case.headers or {})
    if variant == 0 or not access:
        UNKNOWN_CALLERS.add(case.id)
    elif variant == 1:
        UNKNOWN_CALLERS.add(case.id)
        case.headers.update({name: "wrong" for name in access})
    elif "x-auth-token" in access:
        case.headers.update(member.headers)
    elif "X-Signature" in access:
        kwargs["auth"] = trader
    else:
        case.headers["X-Public-Key"] = trader.public_key


def access_of(operation):
    """Names of the headers that an operation understands as credentials."""
    schemes = operation.schema.raw_schema["components"]["securitySchemes"]
    choices = operation.definition.raw.get("security", [])
    return [schemes[name]["name"] for choice in choices for name in choice]


class Ids:
    """Ids that exist and belong together, found by the name of what they are wanted for."""

    def __init__(self, choices, trader, member):
        self.choices, self.trader, self.member = choices, trader, member
        self.market = WORLD.markets[choices.among(len(WORLD.markets))]

    def find(self, name):
        match name:
            case "eventId":
                return self.market.event
            case "marketId":
                return self.market.market
            case "outcomeId":
                return self.market.outcomes[self.choices.among(2)]
            case "orderId" | "orderIds":
                return WORLD.fresh_order(self.trader, self.choices.among(100))
            case "keyId":
                return self.member.key
            case "userId":
                return WORLD.users[self.choices.among(len(WORLD.users))]
            case _:
                return None

    def slug(self, name):
        match name:
            case "slug":
                return self.market.slug
            case "seriesSlug" if WORLD.series:
                return WORLD.series[self.choices.among(len(WORLD.series))]
            case _:
                return None


def fill(case, ids):
    """Puts ids that exist in the place of those that were made up. What is no id stays: it was made to be wrong."""
    # New ones each time: cases share what they were made of.
    if case.path_parameters:
        case.path_parameters = {name: placed(name, value, ids) for name, value in case.path_parameters.items()}
    if case.query:
        case.query = {name: filled(name.removesuffix("[]"), value, ids) for name, value in case.query.items()}
    if is_json(case.body):
        case.body = filled("", case.body, ids)
        if case.meta is not None and case.meta.generation.mode.is_positive and ids.choices.among(3) > 0:
            mend(case.body, ids.choices)
    if case.path == "/v1/user/login" and is_login(case.body) and ids.choices.among(4) == 0:
        case.body.update(WORLD.logins[ids.choices.among(len(WORLD.logins))])


def placed(name, value, ids):
    """A value of a path: an id, or a slug, which any word could be."""
    return (ids.find(name) if is_id(value) else ids.slug(name)) or value


def filled(name, value, ids):
    if isinstance(value, dict):
        return {key: filled(key, item, ids) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(name, item, ids) if at < 3 else item for at, item in enumerate(value)]
    if is_id(value):
        return ids.find(name) or value
    # Hardly anyone can pay what is made up; half of them ask for less.
    if name in ("amount", "quantity") and is_large(value) and ids.choices.among(2) == 0:
        return 1 + ids.choices.among(400) / 4
    return value


def mend(body, choices):
    """Makes the fields of an order agree with each other, as no schema can."""
    if not isinstance(body, dict):
        return
    for order in body.get("orders", [body]):
        if not isinstance(order, dict) or "outcomeId" not in order or "type" not in order:
            continue
        if order["type"] == "LIMIT":
            order["price"] = order.get("price") or (1 + choices.among(99)) / 100
            order["postOnly"] = order.get("timeInForce") in (None, "GTC", "GTD") and bool(order.get("postOnly"))
            order["expiresAt"] = "2099-12-31T23:59:59Z"
        else:
            order["timeInForce"] = {"FOK": "FOK"}.get(order.get("timeInForce"))
            order["postOnly"] = None
        if order.get("amount") is not None:
            order["amount"] = (1 + choices.among(400) / 4) * (100 if order.get("currency") == "NGN" else 1)


def phase_of(case):
    return case.meta.phase.name.value if case.meta is not None else None


def is_json(body):
    return isinstance(body, (dict, list))


def is_id(value):
    return isinstance(value, str) and UUID.fullmatch(value) is not None


def is_large(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 100 < value <= 1_000_000_000


def is_login(body):
    return isinstance(body, dict) and all(isinstance(body.get(name), str) for name in ("email", "password"))


@schemathesis.hook
def after_call(context, case, response):
    STATUSES[response.status_code] += 1
    label = case.operation.label
    success = next(status for status in case.operation.definition.raw["responses"] if status.startswith("2"))
    SUCCESSES[label] = SUCCESSES.get(label, 0) + int(str(response.status_code) == success)


@schemathesis.check
def credentials_are_required(context, response, case):
    """Whoever is not known gets nothing where credentials are required."""
    choices = case.operation.definition.raw.get("security", [])
    is_optional = not choices or {} in choices
    if case.id in UNKNOWN_CALLERS and not is_optional and response.status_code < 400:
        raise AssertionError(f"{response.status_code} for a caller without credentials, or with wrong ones")


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """False: the failure is none."""
    kind = type(failure).__name__
    if kind == "RejectedPositiveData" and response.status_code == 400:
        message = response.json()["message"]
        return not any(rule in message for rule in BEYOND_SCHEMAS)
    if kind == "UndefinedStatusCode" and response.status_code == 405:
        # `slug` and `series` in the place of an event's id make the path of another operation.
        return not any(f"/events/{word}/" in response.request.url for word in ("slug", "series"))
    if kind == "AcceptedNegativeData":
        # An empty value in a query counts as left out.
        sent = parse_qsl(urlsplit(response.request.url).query, keep_blank_values=True)
        has_empty_value = any(value == "" for _, value in sent)
        # An item of a batch that cannot be read fails alone, in its place.
        failed_items = response.json().get("summary", {}).get("failed", 0)
        return not has_empty_value and failed_items == 0 and not has_ignored_value(case.body)
    return True


def has_ignored_value(body):
    """Whether an order has a value that its schema forbids and that the exchange leaves aside."""
    orders = body.get("orders", [body]) if isinstance(body, dict) else []
    return any(is_ignored(order) for order in orders if isinstance(order, dict))


def is_ignored(order):
    """A number outside its bounds as the slippage of a LIMIT order, and an empty date, which counts as none."""
    slippage = order.get("maxSlippage")
    is_outside = isinstance(slippage, (int, float)) and not 0 <= slippage <= 1
    return order.get("expiresAt") == "" or (order.get("type") == "LIMIT" and is_outside)


@atexit.register
def report():
    """How deep the run went: which statuses came, and which operations never succeeded.

    The latter is no failure: the demo may not have what an operation shows.
    """
    print(f"answers: {', '.join(f'{count} x {status}' for status, count in sorted(STATUSES.items()))}")
    never = sorted(label for label, count in SUCCESSES.items() if count == 0)
    print(f"never successful: {', '.join(never) if never else 'none'}")
