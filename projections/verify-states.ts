import type { Kysely } from 'kysely';
import { personalPathsOf } from '../domain/personal-fields.ts';
import type { Recorded } from '../domain/shared/event.ts';
import { type PersonalTexts, putTexts, type WithPersonal } from '../domain/shared/personal.ts';
import type { RowFold } from '../infra/ports/read-models.ts';
import type { ReadVault } from '../infra/ports/vault.ts';
import { emptyCostContext } from './channel-costs/cost-context.ts';
import { channelCostsProjector } from './channel-costs/projector.ts';
import { channelListProjector } from './channel-list/projector.ts';
import { deadLettersProjector } from './dead-letters/projector.ts';
import { relayFeedsProjector } from './feeds/projector.ts';
import { optionListProjector } from './option-list/projector.ts';
import { redemptionListProjector } from './redemption-list/projector.ts';
import { type Projector, schemaOf } from './runtime/projector.ts';
import type { Cell, Row } from './runtime/table.ts';
import { createLiveSessions, type LiveSessions } from './shared/live-sessions.ts';
import type { PersonalData } from './shared/personal-data.ts';
import { taskListProjector } from './task-list/projector.ts';
import { tokenListProjector } from './token-list/projector.ts';
import { topUpListProjector } from './topup-list/projector.ts';
import { userListProjector } from './user-list/projector.ts';
import type { RowSourceSpec } from './verify-events.ts';
import { FoldedRows, forgetting, sealedText } from './verify-folded-rows.ts';

/** The handlers alone are run: they neither open what is sealed nor tell anything to others. */
const deps = {
  vault: {} as ReadVault,
  logger: {} as never,
  bus: {} as never,
  onDeparture: () => undefined,
};

const emptyTextOf = (data: unknown, [first = '', second]: readonly string[]): boolean => {
  const member = (data as Readonly<Record<string, unknown>>)[first];
  if (second !== undefined) return emptyTextOf(member ?? {}, [second]);
  return member === '' || (Array.isArray(member) && member.length === 0);
};

/** Where an event has texts sealed, the row has what verify cannot open. */
const personal: PersonalData = {
  learn: () => undefined,
  open: (_userId, sealed) => (sealed === null ? '' : sealedText),
  whole: (event) => {
    if ((event.data as WithPersonal).personal === undefined) return event.data;
    const texts: Record<string, PersonalTexts[string]> = {};
    for (const path of personalPathsOf(event.type)) {
      const isEmpty = emptyTextOf(event.data, path.split('.'));
      if (isEmpty) texts[path] = path.endsWith('allowIps') ? [sealedText] : sealedText;
    }
    return putTexts(event.data, texts);
  },
};

/** Of a row with the id of its person in it. */
type Cleared = (row: Row) => Row | null;
type State = Readonly<{
  projector: Projector;
  /** Those that are compared, with the types that change them; absent: all. */
  only?: Readonly<{ tables: readonly string[]; types: readonly string[] }>;
  /** What the handlers need beside the event, once for the whole log. */
  context?: () => unknown;
  /** By table: what is left of a row when its person leaves. */
  cleared?: Readonly<Record<string, Cleared>>;
}>;

const emptied =
  (columns: string): Cleared =>
  (row) => ({ ...row, ...Object.fromEntries(columns.split(' ').map((name) => [name, ''])) });
const removed: Cleared = () => null;

const fold = ({ projector, only, context, cleared = {} }: State, db: Kysely<unknown>): RowFold => {
  const { name: projection, tables, on } = projector;
  const departed = new Set<Cell>();
  const rows: Record<string, unknown> = {};
  const folded: FoldedRows[] = [];
  for (const [name, table] of Object.entries(tables)) {
    rows[name] = forgetting;
    if (only !== undefined && !only.tables.includes(name)) continue;
    const clear = cleared[name];
    const left = clear && ((row: Row) => (departed.has(row.user_id ?? 0) ? clear(row) : row));
    const compared = new FoldedRows(db, { schema: schemaOf(projection), table, left });
    folded.push(compared);
    rows[name] = compared;
  }
  const given = context?.();
  const see = (recorded: Recorded): void => {
    const { type, data } = recorded.event;
    const handler = on[type];
    if (typeof handler === 'function') handler(rows, recorded, given);
    if (type === 'UserDeleted') departed.add((data as { userId: number }).userId);
  };
  return { see, end: () => undefined, folded };
};

const noSessions: LiveSessions = { after: () => ({ live: [], ended: [] }) };

const states: readonly State[] = [
  {
    projector: userListProjector(deps),
    context: () => ({ personal, sessions: createLiveSessions(new Map()), factors: new Map() }),
  },
  {
    projector: tokenListProjector(deps),
    context: () => ({ personal, departed: new Set() }),
    cleared: { tokens: emptied('name allow_ips'), names: removed },
  },
  { projector: channelListProjector },
  { projector: optionListProjector },
  { projector: redemptionListProjector, context: () => new Map() },
  { projector: topUpListProjector },
  { projector: deadLettersProjector },
  { projector: channelCostsProjector, context: emptyCostContext },
  { projector: taskListProjector },
  {
    // What relays get is folded apart from the projector: `infra/verify/rows/feeds.ts`.
    projector: relayFeedsProjector(deps),
    only: { tables: ['personalKeys'], types: ['PersonalKeyCreated', 'UserDeleted'] },
    context: () => ({ personal, tokensOf: new Map(), live: noSessions }),
  },
];

/** The tables whose rows change from event to event. */
export const stateSources: readonly RowSourceSpec[] = states.map((state) => ({
  projector: state.projector,
  ...(state.only && { types: state.only.types }),
  tables: [],
  fold: (db) => fold(state, db),
}));
