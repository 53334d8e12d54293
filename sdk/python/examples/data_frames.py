"""Prints a book, the trades and the open events as data frames. Needs pandas or polars."""

from bellwether_exchange import Client


def main() -> None:
    """Three data frames."""
    with Client.from_env() as client:
        market = client.event("rain-in-lagos-on-new-years-day").market
        market.yes.buy(2)
        print(market.yes.book().to_df())
        print(market.trades().to_df())
        print(client.events(status="open").to_df(decimals="float")[["slug", "liquidity"]])


if __name__ == "__main__":
    main()
