#!/bin/bash
# Runs once, when ClickHouse starts with an empty volume: makes the user of the server, who reads and no more.
# `readonly = 2` lets a query say its own limits.
set -euo pipefail
hash=$(printf %s "$READER_PASSWORD" | sha256sum | cut -d ' ' -f 1)
clickhouse-client --user "$CLICKHOUSE_USER" --password "$CLICKHOUSE_PASSWORD" --multiquery <<SQL
create user if not exists reader identified with sha256_hash by '$hash' settings readonly = 2;
grant select on storesight.* to reader;
SQL
