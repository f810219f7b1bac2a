#!/bin/sh
# Makes what a cluster keeps secret, once: a certificate authority, a certificate for each engine, a
# password for each user and the master key. What is there stays, so that it can be run again.
#
#   infra/tooling/make-cluster-secrets.sh [FOLDER]     FOLDER: infra/secrets, which Git ignores
#
# RELAYS=2                relays, each with a password of its own: relay-0, relay-1 …
# NATS_HOSTS, EVENTSTORE_HOSTS, POSTGRES_HOSTS
#                         names in the certificates, separated by spaces
set -eu
umask 077

top=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$top/secrets}
relays=${RELAYS:-2}
# The containers run as this user, and no other may read the files.
owner=1000
days=3650

fail() {
  printf '%s\n' "make-cluster-secrets: $*" >&2
  exit 1
}
command -v openssl >/dev/null || fail 'openssl is not installed'
case "$(uname -s):$(id -u)" in
  Darwin:* | *:0 | *:$owner) ;;
  *) fail "run it as root or as user $owner: the containers run as $owner and have to read the files" ;;
esac

mkdir -p "$folder"
cd "$folder"

# Appears whole or not at all.
secret() {
  [ -s "$1" ] && return
  openssl rand -base64 48 | tr '+/' '-_' | tr -d '=\n' >"$1.new"
  mv "$1.new" "$1"
}

certificate() {
  name=$1
  shift
  [ -s "$name.crt" ] && return
  names=
  for host in "$@"; do
    case $host in
      *[!0-9.]*) names="$names,DNS:$host" ;;
      *) names="$names,IP:$host" ;;
    esac
  done
  printf '%s\n' "subjectAltName=${names#,}" 'basicConstraints=critical,CA:FALSE' \
    'keyUsage=critical,digitalSignature,keyEncipherment' \
    'extendedKeyUsage=serverAuth,clientAuth' 'authorityKeyIdentifier=keyid' >"$name.ext"
  openssl req -new -newkey rsa:2048 -nodes -keyout "$name.key" -out "$name.csr" \
    -subj "/O=Tollgate/CN=$common_name" 2>/dev/null
  openssl x509 -req -in "$name.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days "$days" \
    -sha256 -extfile "$name.ext" -out "$name.new" 2>/dev/null
  rm "$name.csr" "$name.ext"
  mv "$name.new" "$name.crt"
}

mkdir -p nats eventstore postgres
if [ ! -s ca.crt ]; then
  openssl req -x509 -newkey rsa:3072 -nodes -keyout ca.key -out ca.crt -days "$days" -sha256 \
    -subj '/O=Tollgate/CN=Tollgate cluster' -addext 'basicConstraints=critical,CA:TRUE' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' 2>/dev/null
fi
# shellcheck disable=SC2086 # The names are words.
{
  common_name=nats
  certificate nats/server ${NATS_HOSTS:-nats localhost 127.0.0.1}
  # EventStoreDB takes a node for one of its own by this name.
  common_name=eventstoredb-node
  certificate eventstore/node ${EVENTSTORE_HOSTS:-eventstore localhost 127.0.0.1}
  common_name=postgres
  certificate postgres/server ${POSTGRES_HOSTS:-postgres localhost 127.0.0.1}
}

# The master key: without it nothing that was sealed can be read again.
secret secret-key
secret eventstore-password
secret eventstore-ops-password
secret postgres-password
secret nats-command-api-password
secret nats-projections-password

passwords() {
  printf '# Made by make-cluster-secrets.sh of the files nats-*-password.\n'
  printf 'command_api_password: "%s"\n' "$(cat nats-command-api-password)"
  printf 'projections_password: "%s"\n' "$(cat nats-projections-password)"
  number=0
  while [ "$number" -lt "$relays" ]; do
    secret "nats-relay-$number-password"
    printf 'relay_%s_password: "%s"\n' "$number" "$(cat "nats-relay-$number-password")"
    number=$((number + 1))
  done
}
passwords >nats/passwords.new
mv nats/passwords.new nats/passwords.conf

# EventStoreDB takes its first passwords from its environment alone.
{
  printf 'CLUSTER_SECRETS=%s\n' "$(pwd)"
  printf 'EVENTSTORE_ADMIN_PASSWORD=%s\n' "$(cat eventstore-password)"
  printf 'EVENTSTORE_OPS_PASSWORD=%s\n' "$(cat eventstore-ops-password)"
} >compose.env

if [ "$(id -u)" = 0 ]; then chown -R "$owner:$owner" .; fi
printf '%s\n' "The secrets of the cluster are in $(pwd)." \
  'Keep secret-key: without it nothing that was sealed can be read again.'
