"""Every tool over both transports, with the official client."""

import contextlib
import json
from decimal import Decimal

import anyio
import pytest

from venue import BOOK, BOOK_MARKET, ENDED_SLUG, POOL, key_environment, listening, over_stdio, without_key

LISTING_BYTES_MAX = 20_000
CAPS = ("--max-spend", "100", "--max-order", "30")


@contextlib.asynccontextmanager
async def connected(transport, mode, environment, *flags):
    """A client over either transport."""
    if transport == "stdio":
        async with over_stdio(environment, *flags, mode=mode) as client:
            yield client
    else:
        with listening(environment, *flags) as listener:
            async with listener.client(mode) as client:
                yield client


class Caller:
    """Calls tools and remembers which."""

    def __init__(self, client):
        self.client = client
        self.called = set()

    async def __call__(self, tool, **arguments):
        self.called.add(tool)
        result = await self.client.call_tool(tool, arguments)
        [block] = result.content
        assert json.loads(block.text) == result.structured_content, "the text is the structured answer"
        return result.structured_content, bool(result.is_error)

    async def answer(self, tool, **arguments):
        answer, is_error = await self(tool, **arguments)
        assert not is_error, (tool, answer)
        return answer

    async def refusal(self, tool, **arguments):
        answer, is_error = await self(tool, **arguments)
        assert is_error, (tool, answer)
        return answer["error"]

    async def place(self, **order):
        """A preview and its order."""
        preview = await self.answer("preview_order", **order)
        repeated = {name: preview[name] for name in ("token", "event", "market", "outcome", "side", "worst_cost")}
        return await self.answer("place_order", **repeated)


async def read_everything(call):
    found = await call.answer("search_questions", query="rain lagos")
    assert found["questions"][0]["slug"] == BOOK
    trending = await call.answer("search_questions", limit=3)
    assert len(trending["questions"]) == 3
    question = await call.answer("get_question", event="will it rain in lagos on new year's day?")
    assert question["slug"] == BOOK and question["markets"][0]["rules"]
    market = await call.answer("get_market", event=BOOK, outcome="NO")
    assert market["book"]["bids"] or market["book"]["asks"], market
    pool = await call.answer("get_market", event=POOL)
    assert pool["engine"] == "AMM" and "book" not in pool
    history = await call.answer("get_price_history", event=BOOK, interval="1d")
    assert isinstance(history["candles"], list)
    resolution = await call.answer("get_resolution", event=BOOK)
    assert len(resolution["rules_sha256"]) == 64
    series = await call.answer("list_series")
    slug = series["series"][0]["slug"]
    assert "open_questions" in await call.answer("list_series", series=slug)
    ambiguous = await call.answer("get_market", event="winner-of-the-lagos-derby")
    assert ambiguous["ambiguous"] == "market" and len(ambiguous["candidates"]) == 3
    assert await call.refusal("get_question", event="a question that nobody asked") == "not_found"


async def trade(call):
    """A few orders under a cap of 100, 30 for one order."""
    bought = await call.place(event=BOOK, outcome="YES", side="BUY", amount="10")
    assert bought["order"]["status"] == "filled" and bought["order"]["market"] == BOOK_MARKET
    spent = Decimal(bought["cap"]["spent"])
    assert Decimal("9") < spent <= 10
    pooled = await call.place(event=POOL, outcome="NO", side="BUY", amount="5")
    assert pooled["order"]["status"] == "filled"
    resting = await call.place(event=BOOK, outcome="YES", side="BUY", shares="100", price="0.02")
    assert resting["order"]["status"] == "open" and resting["order"]["limit_price"] == "0.02"
    name = resting["order"]["order"]
    assert name in [order["order"] for order in (await call.answer("list_orders", event=BOOK))["orders"]]
    before = Decimal(resting["cap"]["spent"])
    cancelled = await call.answer("cancel_order", order=name)
    assert cancelled["cancelled"][0]["status"] == "cancelled"
    assert before - Decimal(cancelled["cap"]["spent"]) == Decimal("2.2"), "the cancelled order is given back"
    assert await call.refusal("cancel_order", order=name) == "not_found"
    minted = await call.answer("mint_sets", event=BOOK, amount="2.5")
    assert (minted["sets"], minted["cost"]) == ("2.5", "2.5")
    burned = await call.answer("burn_sets", event=BOOK, amount="2.5")
    assert burned["proceeds"] == "2.5"
    sold = await call.place(event=BOOK, outcome="YES", side="SELL", shares=bought["order"]["filled_shares"])
    assert sold["order"]["status"] == "filled"
    portfolio = await call.answer("get_portfolio")
    assert portfolio["cap"]["max_spend"] == "100" and portfolio["wallets"]
    assert any(position["event"] == POOL for position in portfolio["positions"])
    assert (await call.answer("list_activity", limit=5))["activities"]


async def stay_under_the_cap(call):
    assert await call.refusal("preview_order", event=BOOK, outcome="YES", side="BUY", amount="30.000001") == (
        "over_max_order"
    )
    assert await call.refusal("mint_sets", event=BOOK, amount="31") == "over_max_order"
    assert await call.refusal("preview_order", event=BOOK, outcome="YES", side="BUY", shares="5") == "bad_argument"
    preview = await call.answer("preview_order", event=BOOK, outcome="YES", side="BUY", amount="3")
    order = {name: preview[name] for name in ("token", "event", "market", "outcome", "side", "worst_cost")}
    assert await call.refusal("place_order", **(order | {"worst_cost": "2"})) == "token_mismatch"
    assert await call.refusal("place_order", **order) == "token_unknown"
    while not (await call("mint_sets", event=BOOK, amount="10"))[1]:
        pass
    cap = (await call.answer("get_portfolio"))["cap"]
    assert Decimal(cap["spent"]) <= 100 and Decimal(cap["left"]) < 10, cap
    assert await call.refusal("mint_sets", event=BOOK, amount="10") == "over_max_spend"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_every_tool_works(transport, mode):
    user = {"stdio auto": 0, "stdio legacy": 1, "http auto": 2, "http legacy": 0}[f"{transport} {mode}"]

    async def run():
        async with connected(transport, mode, key_environment(user), *CAPS) as client:
            call = Caller(client)
            await read_everything(call)
            await trade(call)
            await stay_under_the_cap(call)
            await call.answer("cancel_order", all=True)
            tools = (await client.list_tools()).tools
            assert call.called == {tool.name for tool in tools}

    anyio.run(run)


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_listing_is_short_and_read_only_without_a_key(transport):
    async def run():
        async with connected(transport, "auto", key_environment(0), *CAPS) as client:
            listing = await client.list_tools()
            assert len(listing.model_dump_json(by_alias=True, exclude_none=True)) <= LISTING_BYTES_MAX
            assert len(listing.tools) == 14
        async with connected(transport, "auto", without_key()) as client:
            tools = (await client.list_tools()).tools
            assert len(tools) == 6 and all(tool.annotations.read_only_hint for tool in tools)
            await read_everything(Caller(client))
            for name in ("place_order", "get_portfolio"):
                with pytest.raises(Exception, match="no such tool"):
                    await client.call_tool(name, {})

    anyio.run(run)


def test_a_key_without_caps_spends_nothing():
    async def run():
        async with over_stdio(key_environment(1)) as client:
            call = Caller(client)
            assert await call.refusal("mint_sets", event=BOOK, amount="0.01") == "over_max_order"
            refused = await call.refusal("preview_order", event=BOOK, outcome="YES", side="BUY", amount="1")
            assert refused == "over_max_order"

    anyio.run(run)


def test_resources_and_prompts():
    async def run():
        async with over_stdio(key_environment(0)) as client:
            uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
            assert uris == ["bellwether://solvency"]
            templates = [
                template.uri_template for template in (await client.list_resource_templates()).resource_templates
            ]
            assert templates == ["bellwether://rules/{slug}", "bellwether://evidence/{slug}"]
            for uri, field in [
                ("bellwether://solvency", "solvent"),
                (f"bellwether://rules/{BOOK}", "rules"),
                (f"bellwether://evidence/{ENDED_SLUG}", "proposal"),
            ]:
                [contents] = (await client.read_resource(uri)).contents
                assert json.loads(contents.text)[field], uri
            with pytest.raises(Exception, match="no such resource"):
                await client.read_resource("bellwether://rules/no-such-question")
            names = [prompt.name for prompt in (await client.list_prompts()).prompts]
            assert names == ["research_question", "review_portfolio"]
            research = await client.get_prompt("research_question", {"question": BOOK})
            assert BOOK not in research.messages[0].content.text
            assert json.loads(research.messages[1].content.resource.text) == {"question": BOOK}
            assert (await client.get_prompt("review_portfolio")).messages

    anyio.run(run)
