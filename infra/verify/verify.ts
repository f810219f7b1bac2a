import type { Recorded } from '../../domain/shared/event.ts';
import type { OnUnreadable } from '../ports/event-store.ts';
import type { ReadModelSession, ReadModels } from '../ports/read-models.ts';
import type { Verify, VerifyInput, VerifyReport } from '../ports/verify.ts';
import { nodeTimers } from '../system/timers.ts';
import { AccountCheck } from './account-check.ts';
import { CheckpointCheck } from './checkpoint-check.ts';
import { type CheckName, concernsOf, type RowCheckName } from './concerns.ts';
import { CorrectionCheck } from './correction-check.ts';
import { DeadLetterCheck } from './dead-letter-check.ts';
import { Findings } from './findings.ts';
import { GrantCheck } from './grant-check.ts';
import { LogCheck } from './log-check.ts';
import { PaymentCheck } from './payment-check.ts';
import { PersonCheck } from './person-check.ts';
import { ProducerCheck } from './producer-check.ts';
import { ReadModelCheck } from './read-models.ts';
import { RequestCheck } from './request-check.ts';
import { SnapshotCheck } from './snapshot-check.ts';
import { TaskCheck } from './task-check.ts';

/** Events between two turns of the event loop, and between two reports of the progress. */
const eventsPerTurn = 500;
/**
 * How long failures are kept (`command-api/keeper/side-streams.ts`), less what a store may be early and a run may last.
 */
const failuresKeptMs = (30 * 24 - 6) * 3_600_000;
const eventsPerReport = 5_000;
const pollMs = 100;

/** Waits a while until the read models show the log up to `goal`; notes those that still do not. */
const awaitReadModels = async (
  { timers = nodeTimers, patienceMs = 10_000 }: VerifyInput,
  readModels: ReadModels,
  { goal, findings }: Readonly<{ goal: bigint | null; findings: Findings }>,
): Promise<void> => {
  const noteOf = (name: string) => `projection ${name} is behind the log`;
  const end = timers.now() + patienceMs;
  for (;;) {
    const late = [...(await readModels.checkpoints())].filter(
      ([name, position]) =>
        goal !== null && (position ?? -1n) < goal && !findings.notes.includes(noteOf(name)),
    );
    if (late.length === 0) return;
    if (timers.now() > end) {
      for (const [name] of late) findings.note(noteOf(name));
      return;
    }
    await new Promise<void>((resolve) => void timers.setTimeout(resolve, pollMs));
  }
};

const shareOf = (position: bigint, goal: bigint | null): number =>
  goal === null || goal <= 0n ? 1 : Math.min(1, Number((position * 1_000n) / goal) / 1_000);

/** Those that get events whatever they are about. */
type Everywhere = Readonly<{
  log: LogCheck;
  accounts: AccountCheck;
  snapshots: SnapshotCheck;
  checkpoints: CheckpointCheck;
  rows: ReadModelCheck | null;
}>;
type AnyCheck = Readonly<{ see: (recorded: Recorded<never>) => void }>;
/** The checks of the log by their names in the table of concerns. */
type Checks = Readonly<Record<Exclude<CheckName, RowCheckName>, AnyCheck>>;

type See = (recorded: Recorded<never>) => void;
/** What an event of one type goes to. */
type Route = Readonly<{ checks: readonly See[]; rows: See }>;

/** The log check gets each event, the others those that concern them. What throws is a break too. */
const createWalk = (
  { log, accounts, snapshots, checkpoints, rows, ...others }: Checks & Everywhere,
  findings: Findings,
) => {
  const named = new Map<string, AnyCheck>(Object.entries({ accounts, checkpoints, ...others }));
  const everywhere: readonly See[] = [
    (recorded) => log.see(recorded),
    (recorded) => accounts.seeActor(recorded),
    (recorded) => snapshots.see(recorded),
  ];
  const routes = new Map<string, Route>();
  const routeOf = (type: string): Route => {
    const known = routes.get(type);
    if (known !== undefined) return known;
    const concerned = concernsOf(type).flatMap((name) => named.get(name) ?? []);
    const checks = [
      ...everywhere,
      ...concerned.map(
        (check): See =>
          (event) =>
            check.see(event),
      ),
    ];
    const route = { checks, rows: rows?.seeOf(type) ?? (() => undefined) };
    routes.set(type, route);
    return route;
  };
  const guarded = (see: See, recorded: Recorded): void => {
    try {
      see(recorded as Recorded<never>);
    } catch (error) {
      findings.ofEvent('unreadable', recorded, `${recorded.event.type}: ${String(error)}`);
    }
  };
  return (recorded: Recorded): void => {
    checkpoints.seePlace(recorded);
    const route = routeOf(recorded.event.type);
    for (const see of route.checks) guarded(see, recorded);
    guarded(route.rows, recorded);
  };
};

const run = async (
  input: VerifyInput,
  session: ReadModelSession | null,
  findings: Findings,
): Promise<VerifyReport> => {
  const { eventStore, clock, timers = nodeTimers, onProgress } = input;
  const nextTurn = () => new Promise<void>((resolve) => timers.setImmediate(resolve));
  const openedAt = clock().getTime();
  const keptSince = openedAt - failuresKeptMs;
  const log = new LogCheck(findings, keptSince);
  const accounts = new AccountCheck(findings);
  const requests = new RequestCheck(findings);
  const grants = new GrantCheck(findings);
  const payments = new PaymentCheck(findings);
  const tasks = new TaskCheck(findings);
  const people = new PersonCheck(findings);
  const snapshots = new SnapshotCheck(findings);
  const checkpoints = new CheckpointCheck(session?.begin ?? null, findings);
  const producers = new ProducerCheck(findings);
  const corrections = new CorrectionCheck(findings, (id) => log.has(id) || requests.has(id));
  const goal = await eventStore.head();
  const rows =
    session === null
      ? null
      : await ReadModelCheck.open({
          eventStore,
          session,
          findings,
          head: goal,
          keptSince: Math.ceil(keptSince / 1_000),
        });
  const walk = createWalk(
    {
      log,
      accounts,
      requests,
      grants,
      payments,
      tasks,
      people,
      corrections,
      checkpoints,
      producers,
      snapshots,
      'dead-letters': new DeadLetterCheck(findings),
      rows,
    },
    findings,
  );

  let head: bigint | null = null;
  let events = 0;
  const onUnreadable: OnUnreadable = (event) => {
    findings.ofEvent('unreadable', event, `${event.type}: ${event.reason}`);
    log.leaveOut(event);
  };
  for await (const recorded of eventStore.readAll({ onUnreadable })) {
    walk(recorded);
    head = recorded.position;
    events += 1;
    if (events % eventsPerTurn === 0) {
      await nextTurn();
      await rows?.room();
    }
    if (events % eventsPerReport === 0) {
      onProgress?.({ phase: 'log', events, share: shareOf(head, goal) });
    }
  }

  const now = clock().getTime();
  const leases = accounts.end({ now, alive: input.aliveRelays ?? new Set() });
  producers.end();
  grants.end(now);
  payments.end(now);
  tasks.end(now);
  await people.end(eventStore, now);
  await snapshots.end(eventStore);
  await corrections.end(eventStore);
  onProgress?.({ phase: 'read-models', events, share: 1 });
  if (input.readModels !== null) {
    await awaitReadModels(input, input.readModels, { goal: head, findings });
  }
  const rowCount = (await rows?.end(head)) ?? 0;
  checkpoints.end(head, openedAt);
  return {
    startedAt: new Date(openedAt).toISOString(),
    finishedAt: clock().toISOString(),
    head: head === null ? null : String(head),
    events,
    accounts: accounts.count,
    requests: requests.end(input.started ?? []),
    leases,
    rows: rowCount,
    breaks: findings.breaks,
    breakCounts: findings.counts,
    notes: findings.notes,
  };
};

/**
 * One pass over the log; the read models are compared with a shadow that grows with it. Memory: for each event
 * 37 bytes at most, for each request 61; one small record for each account, person, token, order, task and stream; what
 * a snapshot of each account holds; and a few thousand events that wait for the shadow.
 */
export const verify: Verify = async (input) => {
  const { readModels, eventStore } = input;
  const findings = new Findings();
  if (readModels === null) return run(input, null, findings);
  await awaitReadModels(input, readModels, { goal: await eventStore.head(), findings });
  return readModels.open((session) => run(input, session, findings));
};
