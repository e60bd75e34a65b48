"""Values to summarise, with what a reader should find in the summary."""

# ruff: noqa: RUF001 - Chinese punctuation is meant.

from __future__ import annotations

import random

from governance.summaries.kinds import JSON

REPORT = """# Incident report

The outage began at 02:14 when a certificate on the payment gateway expired. Customers saw a spinning wheel for forty
seconds and then an error message. About 1,850 orders were lost.

Our on-call engineer first suspected the load balancer, since two nodes had been replaced the evening before. She lost
half an hour reading its logs. The second shift was informed at 02:50 by Dr. Brandt.

Only after a colleague pointed at the handshake errors did the team look at the certificate store. The certificate
gw-2024-17 had been renewed, e.g. in the test environment, but never installed in production. It was installed at 03:31.

## Decision

From now on certificates are renewed by a job sixty days ahead. Marketing will write to the customers concerned.
The canteen stays closed on Friday.
"""

CHINESE = (
    "系统在凌晨两点十四分开始报警，支付网关的证书到期后没有自动续签。用户看到页面一直转圈，大约四十秒后提示出错。"
    "值班工程师起初怀疑是负载均衡的问题，因为前一天晚上刚更换了两个节点。他在日志里浪费了将近半个小时。"
    "直到同事指出握手失败的错误，大家才去检查证书。编号gw-2024-17的证书已经续签，但没有安装到生产环境。"
    "决议：以后由任务提前六十天续签证书。食堂周五不开放。"
)


def flights(count: int) -> list[JSON]:
    """Return a table of flights, each with a number, a route, a price and seats of its own."""
    chance = random.Random(count)
    airports = ["JFK", "SFO", "LAX", "SEA", "ORD", "PHL", "IAH", "BOS"]
    return [
        {
            "flight_number": f"HAT{100 + number}",
            "origin": chance.choice(airports),
            "destination": chance.choice(airports),
            "departure": f"{chance.randrange(24):02d}:{chance.randrange(60):02d}",
            "status": "available",
            "price": 100 + 7 * number,
            "seats": {"economy": chance.randrange(30), "business": chance.randrange(10)},
        }
        for number in range(count)
    ]


def service_log(lines: int) -> str:
    """Return a log of orders, one of which fails with a stack trace in the middle."""
    log = [
        f"2026-04-11 09:{n // 60:02d}:{n % 60:02d} INFO  [worker-{n % 4}] order {55000 + n} done" for n in range(lines)
    ]
    log[lines // 2 : lines // 2 + 1] = [
        "2026-04-11 09:01:01 ERROR [http-4] order 55999 failed",
        'java.lang.NullPointerException: Cannot invoke "Address.getCity()"',
        "\tat com.acme.order.TaxService.rateFor(TaxService.java:81)",
        "\tat com.acme.order.OrderController.place(OrderController.java:147)",
    ]
    return "\n".join([*log, "2026-04-11 09:09:09 INFO  [main] shutdown, 1 failed"])
