import type { Recorded } from '../../domain/shared/event.ts';
import type { OnUnreadable } from '../ports/event-store.ts';
import type { ReadModels, ReadModelView } from '../ports/read-models.ts';
import type { Timers } from '../ports/timers.ts';
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

/** The read models are given a while to show what the log holds now. */
const caughtUp = async (
  readModels: ReadModels,
  goal: bigint | null,
  { timers, patienceMs }: Readonly<{ timers: Timers; patienceMs: number }>,
): Promise<string[]> => {
  const end = timers.now() + patienceMs;
  for (;;) {
    const late: string[] = [];
    for (const [name, position] of await readModels.checkpoints()) {
      if (goal !== null && (position ?? -1n) < goal) late.push(name);
    }
    if (late.length === 0 || timers.now() > end) return late;
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
  view: ReadModelView | null,
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
  const checkpoints = new CheckpointCheck(view, findings);
  const producers = new ProducerCheck(findings);
  const corrections = new CorrectionCheck(findings, (id) => log.has(id) || requests.has(id));
  const failuresSince = Math.ceil(keptSince / 1_000);
  const rows =
    view === null ? null : await ReadModelCheck.open({ eventStore, view, findings, failuresSince });
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

  const goal = await eventStore.head();
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
    if (events % eventsPerTurn === 0) await nextTurn();
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
  const rowCount = rows === null ? 0 : await rows.end();
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
 * One pass over the log, beside a view of the read models that stands still. Memory: for each event
 * 37 bytes at most, for each request 61; besides one small record for each account, person, token,
 * channel, option, redeemed code, order, task and stream, and one for each hour of the usage log.
 * Rows that come of one event each take 20 bytes for 1,024 of them; rows that change are kept as the text of
 * their cells, and so are what a snapshot of each account holds, and the audited fields of each subject.
 */
export const verify: Verify = async (input) => {
  const { readModels, eventStore, timers = nodeTimers, patienceMs = 10_000 } = input;
  const findings = new Findings();
  if (readModels === null) return run(input, null, findings);
  const late = await caughtUp(readModels, await eventStore.head(), { timers, patienceMs });
  for (const name of late) findings.note(`projection ${name} is behind the log`);
  return readModels.view((view) => run(input, view, findings));
};
