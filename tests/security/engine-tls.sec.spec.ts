import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCluster, type ClusterBuild } from '../support/cluster/build.ts';
import { type Engines, startEngines } from '../support/cluster/engines.ts';
import { type Member, startMember } from '../support/cluster/member.ts';
import { type RoleNats, startRoleNats } from '../support/cluster/role-nats.ts';
import { type ClusterSecrets, makeClusterSecrets } from '../support/cluster/secrets.ts';
import { databaseOverTls, eventStoreOverTls, type TlsFront } from '../support/cluster/tls-front.ts';
import { clusterSecret } from '../support/cluster.ts';
import { freePort } from '../support/free-port.ts';
import { findNatsServer } from '../support/nats-server.ts';
import { eventually } from '../support/product.ts';
import { runTool, type ToolRun } from '../support/run-tool.ts';

/* All engines over TLS, with secrets in files; and the text of each refusal. */

const available = await findNatsServer();

if (available.start === null) {
  test.skip(`engines over TLS (left out: ${available.reason})`, () => undefined);
} else {
  let secrets: ClusterSecrets;
  let others: ClusterSecrets;
  let nats: RoleNats;
  let build: ClusterBuild;
  let engines: Engines;
  let eventStore: TlsFront;
  let database: TlsFront;
  let directory: string;
  const members: Member[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tollgate-tls-'));
    chmodSync(directory, 0o755);
    [secrets, others] = [makeClusterSecrets(), makeClusterSecrets()];
    nats = await startRoleNats(secrets);
    build = await buildCluster();
    engines = await startEngines(nats, build, { directory });
    const { port } = new URL(engines.eventStoreUrl);
    eventStore = await eventStoreOverTls(secrets, Number(port));
    database = await databaseOverTls(secrets, socketOf(engines.databaseUrl));
    writeFileSync(join(directory, 'master'), clusterSecret, { mode: 0o600 });
    writeFileSync(join(directory, 'postgres-password'), passwordOf(engines.databaseUrl), {
      mode: 0o600,
    });
  });
  afterAll(async () => {
    for (const member of members) await member.stop();
    for (const front of [eventStore, database]) await front?.close();
    await engines?.stop();
    build?.remove();
    for (const made of [secrets, others]) made?.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  const socketOf = (url: string): string => {
    const host = new URL(url).searchParams.get('host') ?? '';
    return join(host, `.s.PGSQL.${new URL(url).searchParams.get('port') ?? '5432'}`);
  };
  const passwordOf = (url: string): string =>
    decodeURIComponent(new URL(url).password) || 'taken-by-the-socket';

  const envOf = async (user: string) => {
    const data = join(directory, `data-${members.length}-${Math.round(performance.now())}`);
    mkdirSync(data, { mode: 0o700 });
    const file = (name: string): string => join(secrets.folder, name);
    return {
      HOST: '127.0.0.1',
      // Node warns of servers that are named by their addresses, as none are but here.
      NODE_OPTIONS: '--no-deprecation',
      PORT: String(await freePort()),
      METRICS_PORT: String(await freePort()),
      DATA_DIR: data,
      SECRET_KEY_FILE: join(directory, 'master'),
      EVENTSTORE_URL: `esdb://admin@127.0.0.1:${eventStore.port}?tls=true`,
      EVENTSTORE_PASSWORD_FILE: file('eventstore-password'),
      EVENTSTORE_CA_FILE: secrets.caFile,
      DATABASE_URL: `postgres://${new URL(engines.databaseUrl).username || 'postgres'}@127.0.0.1:${database.port}/tollgate`,
      DATABASE_PASSWORD_FILE: join(directory, 'postgres-password'),
      DATABASE_CA_FILE: secrets.caFile,
      NATS_URL: `tls://${user}@127.0.0.1:${nats.port}`,
      NATS_PASSWORD_FILE: file(`nats-${user}-password`),
      NATS_CA_FILE: secrets.caFile,
    };
  };

  const refusalOf = ({ code, stderr }: ToolRun): string => {
    expect([code, stderr.trimEnd().split('\n').length, stderr]).toEqual([1, 1, stderr]);
    for (const name of ['eventstore-password', 'nats-projections-password', 'postgres-password']) {
      expect(stderr).not.toContain(secrets.read(name));
    }
    return stderr.trimEnd();
  };

  test('the processes start over them, and print the key of a relay into a file', async () => {
    for (const kind of ['command-api', 'projections']) {
      const env = await envOf(kind);
      const member = startMember({ name: kind, build, entry: `infra/processes/${kind}`, env });
      members.push(member);
      await eventually(async () => {
        const answer = await fetch(`http://127.0.0.1:${env.PORT}/readyz`);
        if (!answer.ok) throw new Error(member.log());
      });
      expect(member.log()).not.toContain(secrets.read(`nats-${kind}-password`));
    }
    const output = join(directory, 'relay-key');
    const printed = await runTool('keys-cli', ['print', 'relay', `--output=${output}`], {
      ...(await envOf('relay-0')),
    });
    expect([printed.code, printed.stdout]).toEqual([0, '']);
    const env = { ...(await envOf('relay-0')), SECRET_KEY_FILE: output };
    const relay = startMember({ name: 'relay', build, entry: 'infra/processes/relay', env });
    members.push(relay);
    await eventually(async () => {
      const answer = await fetch(`http://127.0.0.1:${env.PORT}/readyz`);
      if (!answer.ok) throw new Error(relay.log());
    });
  });

  test.each([
    ['NATS_CA_FILE', 'NATS_URL'],
    ['DATABASE_CA_FILE', 'DATABASE_URL'],
    ['EVENTSTORE_CA_FILE', 'EVENTSTORE_URL'],
  ])('an engine of another authority (%s) is refused in one line', async (variable, named) => {
    const env = { ...(await envOf('projections')), [variable]: others.caFile };
    const said = refusalOf(await runTool('projections', [], { ...env, LOG_LEVEL: 'silent' }));
    expect(said).toBe(
      `configuration: ${named}: the server's certificate is not accepted: it is of an unknown authority`,
    );
  });

  test('files and URLs that do not fit are refused in one line', async () => {
    const base = { ...(await envOf('projections')), LOG_LEVEL: 'silent' };
    const open = join(directory, 'open');
    writeFileSync(open, 'a-password');
    chmodSync(open, 0o644);
    const said = refusalOf(
      await runTool('projections', [], { ...base, DATABASE_PASSWORD_FILE: open }),
    );
    expect(said).toMatch(/^configuration: DATABASE_PASSWORD_FILE must not be open to all users/);
    const missing = { ...base, NATS_PASSWORD_FILE: join(directory, 'none') };
    expect(refusalOf(await runTool('projections', [], missing))).toMatch(
      /^configuration: NATS_PASSWORD_FILE cannot be read: ENOENT/,
    );
    const both = { ...base, NATS_URL: `tls://projections:x@127.0.0.1:${nats.port}` };
    expect(refusalOf(await runTool('projections', [], both))).toMatch(
      /only one of NATS_PASSWORD_FILE/,
    );
    const plain = { ...base, EVENTSTORE_URL: 'esdb://admin@127.0.0.1:1?tls=false' };
    expect(refusalOf(await runTool('projections', [], plain))).toMatch(
      /EVENTSTORE_CA_FILE needs tls=true/,
    );
    const weak = { ...base, DATABASE_URL: `${base.DATABASE_URL}?sslmode=require` };
    expect(refusalOf(await runTool('projections', [], weak))).toMatch(/needs sslmode=verify-full/);
  });
}
