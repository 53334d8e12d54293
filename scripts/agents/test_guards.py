"""Guards against an agent, a web page and a lost answer."""

import json
import os
import socket
import subprocess
from decimal import Decimal

import anyio
import httpx2
import pytest

from test_tools import Caller
from venue import (
    BOOK,
    ENDED_SLUG,
    FEE_POOL_SLUG,
    PATIENCE_SECONDS,
    PLANTED,
    PLANTED_SLUG,
    executable,
    key_environment,
    listening,
    losing_proxy,
    over_stdio,
    without_key,
)

FIELDS_OF_THE_VENUE = {
    "additional_context", "category", "description", "event", "event_title", "evidence_resource", "label", "market",
    "outcome", "resolution_source", "rules", "rules_resource", "slug", "text", "title", "link",
}  # fmt: skip


def fields_with_planted_text(value, name=""):
    """The names of all fields, at any depth, that have planted text in them."""
    if isinstance(value, str):
        return {name} if PLANTED in value or PLANTED_SLUG in value else set()
    if isinstance(value, list):
        return set().union(*(fields_with_planted_text(item, name) for item in value))
    if isinstance(value, dict):
        return set().union(*(fields_with_planted_text(item, key) for key, item in value.items()))
    return set()


def test_a_listener_admits_only_its_token_and_its_own_origin():
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accepting = {"Accept": "application/json, text/event-stream"}
    with listening(without_key()) as listener:
        port = listener.url.split(":")[-1].split("/")[0]
        token = {"Authorization": listener.bearer}
        for headers, status in [
            ({}, 401),
            ({"Authorization": "Bearer 0"}, 401),
            ({"Authorization": listener.bearer[:-1]}, 401),
            ({"Authorization": listener.bearer + "0"}, 401),
            (token | {"Origin": "http://evil.example"}, 403),
            (token | {"Origin": "null"}, 403),
            (token | {"Origin": "http://localhost"}, 403),
            (token | {"Host": "evil.example"}, 403),
        ]:
            answer = httpx2.post(listener.url, json=body, headers=accepting | headers)
            assert answer.status_code == status, (headers, answer.status_code)
            assert "search_questions" not in answer.text
        own = token | {"Origin": f"http://127.0.0.1:{port}"}
        initialize = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        body |= {"method": "initialize", "params": initialize}
        assert httpx2.post(listener.url, json=body, headers=accepting | own).status_code == 200


def test_other_machines_cannot_be_served():
    for address in ("0.0.0.0:0", "[::]:0", "192.0.2.1:0"):
        command = [executable(), "mcp", "--http", address]
        done = subprocess.run(command, env=os.environ | without_key(), capture_output=True, timeout=PATIENCE_SECONDS)
        assert done.returncode == 1 and b"loopback" in done.stderr, done


def test_a_signal_ends_the_process_while_it_reads_a_socket():
    initialize = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize}
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = subprocess.Popen(
            [executable(), "mcp"], env=os.environ | without_key(), stdin=theirs, stdout=subprocess.PIPE, text=True
        )
        try:
            ours.sendall(json.dumps(request).encode() + b"\n")
            assert "bellwether" in process.stdout.readline()
            process.terminate()
            assert process.wait(PATIENCE_SECONDS) == 0
        finally:
            process.kill()


def test_two_sessions_at_once_share_one_cap():
    async def run():
        with listening(key_environment(1), "--max-spend", "10", "--max-order", "8") as listener:
            async with listener.client() as one, listener.client() as other:
                answers = []
                orders = []
                for client in (one, other):
                    preview = await Caller(client).answer(
                        "preview_order", event=BOOK, outcome="YES", side="BUY", amount="8"
                    )
                    names = ("token", "event", "market", "outcome", "side", "worst_cost")
                    orders.append({name: preview[name] for name in names})

                async def place(client, order):
                    answers.append(await Caller(client)("place_order", **order))

                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(place, one, orders[0])
                    tasks.start_soon(place, other, orders[1])
                refused = [answer["error"] for answer, is_error in answers if is_error]
                assert refused == ["over_max_spend"], answers
            # A new session does not get a new cap.
            async with listener.client() as third:
                cap = (await Caller(third).answer("get_portfolio"))["cap"]
                assert Decimal("7") < Decimal(cap["spent"]) <= 8, cap
                assert await Caller(third).refusal("mint_sets", event=BOOK, amount="5") == "over_max_spend"

    anyio.run(run)


def test_a_limit_buy_on_a_pool_with_a_fee_is_counted_in_full():
    async def run():
        async with over_stdio(key_environment(0), "--max-spend", "40", "--max-order", "20") as client:
            call = Caller(client)
            question = await call.answer("get_question", event=FEE_POOL_SLUG)
            assert question["engine"] == "AMM" and question["markets"][0]["fee_percent"] == "2"
            order = {"event": FEE_POOL_SLUG, "outcome": "YES", "side": "BUY"}
            # A pool ignores postOnly and charges its fee.
            post_only = order | {"shares": "10", "price": "0.9", "post_only": True}
            assert await call.refusal("preview_order", **post_only) == "bad_argument"
            free = await free_money(call)
            by_shares = await call.place(**order, shares="10", price="0.9")
            assert by_shares["order"]["status"] == "filled" and Decimal(by_shares["order"]["fee"]) > 0, by_shares
            paid = free - await free_money(call)
            counted = Decimal(by_shares["cap"]["spent"])
            assert paid <= counted == 9 + Decimal(by_shares["order"]["fee"]), (paid, counted)
            preview = await call.answer("preview_order", **order, amount="10", price="0.99")
            assert preview["worst_cost"] == "10", "the fee is in the amount"
            free = await free_money(call)
            by_amount = await call.place(**order, amount="10", price="0.99")
            paid = free - await free_money(call)
            counted = Decimal(by_amount["cap"]["spent"]) - counted
            assert paid <= counted <= 10, (paid, counted)

    anyio.run(run)


async def free_money(call):
    [wallet] = [wallet for wallet in (await call.answer("get_portfolio"))["wallets"] if wallet["currency"] == "USD"]
    return Decimal(wallet["free"])


def test_a_restart_with_the_file_continues_the_cap(tmp_path):
    flags = ("--max-spend", "10", "--spent-file", str(tmp_path / "spent"))

    async def run():
        async with over_stdio(key_environment(1), *flags) as client:
            await Caller(client).answer("mint_sets", event=BOOK, amount="6")
            command = [executable(), "mcp", *flags]
            second = subprocess.run(
                command,
                env=os.environ | key_environment(1),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PATIENCE_SECONDS,
            )
            assert second.returncode == 1 and b"another process" in second.stderr, second
        async with over_stdio(key_environment(1), *flags) as client:
            call = Caller(client)
            assert (await call.answer("get_portfolio"))["cap"]["spent"] == "6"
            assert await call.refusal("mint_sets", event=BOOK, amount="5") == "over_max_spend"

    anyio.run(run)


def test_an_order_whose_answer_is_lost_stays_counted_and_is_found_later():
    async def run():
        proxy = losing_proxy()
        environment = key_environment(2, proxy.url)
        async with over_stdio(environment, "--max-spend", "10", "--max-order", "8") as client:
            call = Caller(client)
            before = len((await call.answer("list_orders", event=BOOK, include_closed=True, limit=50))["orders"])
            preview = await call.answer("preview_order", event=BOOK, outcome="YES", side="BUY", amount="8")
            order = {name: preview[name] for name in ("token", "event", "market", "outcome", "side", "worst_cost")}
            proxy.is_losing = True
            assert await call.refusal("place_order", **order) == "outcome_unknown"
            assert proxy.lost > 0
            proxy.is_losing = False
            # The order was executed once. The exchange finds it by its name; only what did not fill is given back.
            cap = (await call.answer("get_portfolio"))["cap"]
            assert cap["unknown_outcomes"] == 0 and Decimal("7") < Decimal(cap["spent"]) <= 8, cap
            assert await call.refusal("mint_sets", event=BOOK, amount="4") == "over_max_spend"
            orders = (await call.answer("list_orders", event=BOOK, include_closed=True, limit=50))["orders"]
            assert len(orders) == before + 1, "tried several times, executed once"
        proxy.close()

    anyio.run(run)


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_planted_instructions_appear_in_named_fields_only(transport):
    async def check(client):
        call = Caller(client)
        listing = [await client.list_tools(), await client.list_prompts(), await client.list_resources()]
        listing += [await client.list_resource_templates(), await client.get_prompt("review_portfolio")]
        for listed in listing:
            assert PLANTED not in listed.model_dump_json() and PLANTED_SLUG not in listed.model_dump_json()
        assert PLANTED not in client.instructions
        research = await client.get_prompt("research_question", {"question": PLANTED})
        assert PLANTED not in research.messages[0].content.text

        preview = await call.answer(
            "preview_order", event=PLANTED, outcome=PLANTED, side="BUY", shares="10", price="0.5"
        )
        order = {name: preview[name] for name in ("token", "event", "market", "outcome", "side", "worst_cost")}
        answers = [preview, await call.answer("place_order", **order)]
        answers.append(await call.answer("mint_sets", event=PLANTED, amount="2"))
        answers.append(await call.answer("search_questions", query=PLANTED))
        for tool in ("get_question", "get_market", "get_price_history", "get_resolution"):
            answers.append(await call.answer(tool, event=PLANTED_SLUG))
        answers.append(await call.answer("get_market", event=PLANTED_SLUG, outcome="neither"))
        for tool in ("get_portfolio", "list_orders", "list_activity", "list_series"):
            answers.append(await call.answer(tool))
        answers.append(await call.answer("cancel_order", all=True))
        for answer in answers:
            assert fields_with_planted_text(answer) <= FIELDS_OF_THE_VENUE, answer
        assert fields_with_planted_text(answers) >= {"slug", "title", "label", "rules", "description"}

        for tool, arguments in [
            ("get_question", {"event": PLANTED + "!"}),
            ("get_question", {PLANTED: PLANTED}),
            ("search_questions", {"status": PLANTED}),
            ("preview_order", {"event": PLANTED, "outcome": PLANTED, "side": "BUY", "amount": PLANTED}),
            (
                "preview_order",
                {"event": PLANTED, "outcome": PLANTED, "side": "SELL", "shares": "100000", "price": "0.5"},
            ),
            ("place_order", order),
            ("mint_sets", {"event": PLANTED, "amount": "1000000"}),
            ("burn_sets", {"event": PLANTED, "amount": "1000000"}),
            ("cancel_order", {"order": PLANTED}),
        ]:
            answer, is_error = await call(tool, **arguments)
            if is_error:
                assert PLANTED not in json.dumps(answer) and PLANTED_SLUG not in json.dumps(answer), (tool, answer)
            else:
                assert fields_with_planted_text(answer) <= FIELDS_OF_THE_VENUE, answer
        ended = await call.answer("get_resolution", event=ENDED_SLUG)
        assert {"text", "link"} <= fields_with_planted_text(ended) <= FIELDS_OF_THE_VENUE, ended
        for name in ("rules", "evidence"):
            for slug in (PLANTED_SLUG, ENDED_SLUG):
                [contents] = (await client.read_resource(f"bellwether://{name}/{slug}")).contents
                assert fields_with_planted_text(json.loads(contents.text)) <= FIELDS_OF_THE_VENUE
            with pytest.raises(Exception) as caught:
                await client.read_resource(f"bellwether://{name}/{PLANTED_SLUG}-2")
            assert PLANTED_SLUG not in str(caught.value)

    async def run():
        environment, caps = key_environment(2), ("--max-spend", "100")
        if transport == "stdio":
            async with over_stdio(environment, *caps) as client:
                await check(client)
        else:
            with listening(environment, *caps) as listener:
                async with listener.client() as client:
                    await check(client)

    anyio.run(run)
