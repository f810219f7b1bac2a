import type { QuotaAdjusted, RequestCharged } from '../../../domain/account/events.ts';
import type { AccountSnapshotTaken } from '../../../domain/account/snapshot.ts';
import { accountStreamId } from '../../../domain/account/stream.ts';
import type { Recorded } from '../../../domain/shared/event.ts';
import type { Tampering } from '../history.ts';
import type { SimLog } from '../log/sim-log.ts';
import type { World } from '../world/world.ts';

type Charged = Recorded<RequestCharged>;
/** False where there is nothing to change. */
type Forgery = (world: World) => boolean;

const isCharge = (recorded: Recorded): recorded is Charged =>
  recorded.event.type === 'RequestCharged';

const isFailure = ({ event }: Recorded): boolean => event.type === 'RequestFailed';

const isSnapshot = (recorded: Recorded): recorded is Recorded<AccountSnapshotTaken> =>
  recorded.event.type === 'AccountSnapshotTaken';

const withData = (recorded: Recorded, change: object): Recorded => ({
  ...recorded,
  event: { ...recorded.event, data: { ...recorded.event.data, ...change } } as Recorded['event'],
});

const isLast = (log: SimLog, { streamId, revision }: Recorded): boolean =>
  log.read(streamId, { backwards: true, maxCount: 1 })[0]?.revision === revision;

/** Numbers them in their order: a skilled forger leaves no gap. */
const renumbered = (events: readonly Recorded[]): Recorded[] =>
  events.map((recorded, index) => ({ ...recorded, position: BigInt(index + 1) }));

/** Puts these in place of the first event that is meant. */
const replaceFirst = <T extends Recorded>(
  { log: { log } }: World,
  isMeant: (recorded: Recorded) => recorded is T,
  replacements: (recorded: T) => readonly Recorded[],
): boolean => {
  const index = log.all.findIndex(isMeant);
  const found = log.all[index];
  if (found === undefined || !isMeant(found)) return false;
  log.tamper((events) => renumbered(events.toSpliced(index, 1, ...replacements(found))));
  return true;
};

const changeCharge =
  (change: (charge: Charged) => Recorded): Forgery =>
  (world) =>
    replaceFirst(world, isCharge, (charge) => [change(charge)]);

const removeCharge =
  (wantsLast: boolean): Forgery =>
  (world) =>
    replaceFirst(
      world,
      (recorded): recorded is Charged =>
        isCharge(recorded) && isLast(world.log.log, recorded) === wantsLast,
      () => [],
    );

const forgedCredit = 1_000_000;

/** One more event at the end of the account, in all things like a true one. */
const forgeCredit: Forgery = ({ log: { log } }) => {
  const charge = log.all.findLast(isCharge);
  if (charge === undefined) return false;
  const { userId } = charge.event.data;
  const balances = log.read(accountStreamId(userId), { backwards: true }).flatMap(({ event }) => {
    const { balanceAfter } = event.data as { balanceAfter?: number };
    return balanceAfter === undefined ? [] : [balanceAfter];
  });
  const event: QuotaAdjusted = {
    type: 'QuotaAdjusted',
    data: {
      userId,
      delta: forgedCredit,
      seen: null,
      reason: { kind: 'other', note: 'by hand' },
      balanceAfter: (balances[0] ?? 0) + forgedCredit,
    },
  };
  const eventId = '00000000-0000-4000-9000-000000000001';
  const metadata = { ...charge.metadata, actor: { kind: 'admin' as const, id: '1' } };
  log.append(accountStreamId(userId), [{ event, eventId, metadata }], 'any');
  return true;
};

const changeRow: Forgery = ({ store }) => {
  const database = store?.database;
  if (database?.hasTable('ledger', 'accounts') !== true) return false;
  const accounts = database.table('ledger', 'accounts');
  const [entry] = accounts.rows;
  if (entry === undefined) return false;
  const [key, row] = entry;
  database.setRow(accounts, key, { ...row, balance: Number(row.balance) + 1 }, []);
  return true;
};

const dropReadModels: Forgery = ({ store }) => {
  store?.database.dropAll();
  return store !== null;
};

const forgeries: Readonly<Record<Tampering, Forgery>> = {
  amount: changeCharge((charge) => withData(charge, { amount: charge.event.data.amount + 1 })),
  balance: changeCharge((charge) =>
    withData(charge, { balanceAfter: charge.event.data.balanceAfter + 1 }),
  ),
  actor: changeCharge((charge) => ({
    ...charge,
    metadata: { ...charge.metadata, actor: { kind: 'admin', id: '999' } },
  })),
  caller: changeCharge((charge) =>
    withData(charge, { call: { ...charge.event.data.call, ip: '203.0.113.9' } }),
  ),
  'remove-charge': removeCharge(false),
  'remove-last-charge': removeCharge(true),
  'repeat-charge': (world) => replaceFirst(world, isCharge, (charge) => [charge, charge]),
  'remove-failure': (world) =>
    replaceFirst(
      world,
      (recorded): recorded is Recorded => isFailure(recorded),
      () => [],
    ),
  snapshot: (world) =>
    replaceFirst(
      world,
      (recorded): recorded is Recorded<AccountSnapshotTaken> =>
        isSnapshot(recorded) && isLast(world.log.log, recorded),
      (snapshot) => [withData(snapshot, { balance: 1_000_000_000 })],
    ),
  'forged-credit': forgeCredit,
  'read-model': changeRow,
  'missing-read-model': dropReadModels,
};

/** Changes a site that is at rest. False where it holds nothing to change. */
export const tamper = (world: World, what: Tampering): boolean => forgeries[what](world);
