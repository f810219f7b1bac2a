#!/bin/sh
# The settings of the official image that infra/compose.yaml uses, for the user that it runs as.
set -eu
for folder in /usr/lib/postgresql/*/bin; do PATH=$folder:$PATH; done
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # shellcheck disable=SC2086 # The arguments are words.
  initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" $POSTGRES_INITDB_ARGS
  pg_ctl --pgdata="$PGDATA" --options='-c listen_addresses= -c unix_socket_directories=/tmp' --wait start
  PGPASSWORD=$(cat "$POSTGRES_PASSWORD_FILE") createdb --host=/tmp --username="$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl --pgdata="$PGDATA" --mode=fast --wait stop
fi
shift
exec postgres -D "$PGDATA" -c listen_addresses='*' "$@"
