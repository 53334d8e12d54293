"""Buys for ten dollars, waits for the result, and sells the shares again.

Needs a running `bellwether demo`; `DEMO` names its file, `data/demo.json` unless you say otherwise.
"""

from bellwether_exchange import Client


def main() -> None:
    """One trade, there and back."""
    with Client.from_env() as client:
        market = client.event("rain-in-lagos-on-new-years-day").market
        print(market.title, "costs", market.yes.buy_price, "a share")
        bought = market.yes.buy(10).wait(timeout=30)
        print("bought", bought.filled_size, "at", bought.avg_fill_price)
        sold = market.yes.sell(quantity=bought.filled_size).wait(timeout=30)
        print("sold", sold.filled_size, "at", sold.avg_fill_price)
        for currency, wallet in client.wallets().items():
            print(currency, wallet.available_balance)


if __name__ == "__main__":
    main()
