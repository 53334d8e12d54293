"""Follows a market for a few changes, and prints the best prices of a local book that is right after each of them."""

import asyncio

from bellwether_exchange import AsyncClient


async def main(changes: int = 3) -> None:
    """Prints the book after each change, and causes the changes itself."""
    async with AsyncClient.from_env() as client:
        market = (await client.event("housing-bill-this-session")).market
        async with market.follow() as stream:
            async for update in stream:
                if not stream.book.is_trusted:
                    print("not to be trusted:", update.reason)
                    continue
                bid, ask = stream.book.best_bid(), stream.book.best_ask()
                print(update.kind, update.sequence, bid and bid.price, ask and ask.price)
                if changes == 0:
                    break
                changes -= 1
                order = await market.yes.buy(quantity=100, price="0.02")
                await order.cancel()


if __name__ == "__main__":
    asyncio.run(main())
