"""Trades through CCXT. Needs `pip install './sdk/python[ccxt]'`."""

import asyncio

from bellwether_exchange import settings
from bellwether_exchange.ccxt import bellwether


async def main() -> None:
    """Finds an outcome, places an order, cancels it."""
    found = settings.from_env()
    options = {"baseUrl": found.base_url}
    exchange = bellwether({"apiKey": found.public_key, "secret": found.secret_key, "options": options})
    try:
        event = await exchange.fetch_event("rain-in-lagos-on-new-years-day")
        outcome = event["markets"][0]["outcomes"][0]["outcome"]
        book = await exchange.fetch_order_book(outcome)
        print(outcome, "bid", book["bids"][0][0], "ask", book["asks"][0][0])
        order = await exchange.create_order(outcome, "limit", "buy", 100, 0.02, {"postOnly": True})
        print(order["status"], order["amount"], "at", order["price"])
        print((await exchange.cancel_order(order["id"]))["status"])
    finally:
        await exchange.close()


if __name__ == "__main__":
    asyncio.run(main())
