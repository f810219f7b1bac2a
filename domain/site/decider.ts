import { optionText, type StoredOptions } from '../option/read.ts';
import { isOptionKey, isSecretOption, type OptionKey, optionTable } from '../option/table.ts';
import { type OptionProblemCode, validateOption } from '../option/validate.ts';
import { accept, type Decider, type Decision, reject } from '../shared/decider.ts';
import type { UserId } from '../shared/ids.ts';
import type { Sealed } from '../shared/sealed.ts';
import type { Role } from '../user/events.ts';
import type {
  ChangeOption,
  ChangeSecretOption,
  InitialiseSite,
  PruneUsageLog,
  ResetOption,
  SiteCommand,
} from './commands.ts';
import type { OptionChanged, SiteEvent } from './events.ts';

export type { SiteCommand } from './commands.ts';

export type SiteRejection =
  | 'site.already-initialised'
  | 'option.unchanged'
  | 'option.forbidden'
  | 'option.not-secret'
  | 'option.needs'
  | 'log.cut-invalid'
  | OptionProblemCode;

type Kept = Readonly<{
  /** What operators have set; defaults are not in here. */
  options: StoredOptions;
  secrets: ReadonlyMap<string, Sealed>;
}>;
export type SiteState =
  | Readonly<{ status: 'fresh' } & Kept>
  | Readonly<{ status: 'initialised'; rootUserId: UserId } & Kept>;
type Answer = Decision<SiteEvent, SiteRejection>;

const initialState: SiteState = { status: 'fresh', options: new Map(), secrets: new Map() };

const switchedOn = (key: OptionKey): OptionChanged => ({
  type: 'OptionChanged',
  data: { key, value: 'true', previous: null },
});

/** The chosen modes are options like all others, so they stand in the log as such too. */
const initialise = ({ data }: InitialiseSite, state: SiteState): Answer => {
  if (state.status === 'initialised') return reject('site.already-initialised');
  return accept<SiteEvent>(
    { type: 'SiteInitialised', data },
    ...(data.selfUseMode ? [switchedOn('SelfUseModeEnabled')] : []),
    ...(data.demoSite ? [switchedOn('DemoSiteEnabled')] : []),
  );
};

/** null: the caller may write this option. */
const refusal = (key: string, actorRole: Role): SiteRejection | null => {
  if (!isOptionKey(key)) return 'option.unknown';
  return actorRole >= optionTable[key].minRole ? null : 'option.forbidden';
};

const isFilledIn = (key: string, { options, secrets }: SiteState): boolean =>
  isOptionKey(key) && (secrets.has(key) || optionText(options, key) !== '');

/** A login provider without its client id would only lead people into an error page. */
const missingNeed = (key: OptionKey, value: string, state: SiteState): string | null => {
  const definition = optionTable[key];
  if (definition.kind !== 'bool' || value !== 'true' || definition.needs === undefined) return null;
  return isFilledIn(definition.needs, state) ? null : definition.needs;
};

const change = ({ data }: ChangeOption, state: SiteState): Answer => {
  const { key } = data;
  const refused = refusal(key, data.actorRole);
  if (refused !== null) return reject(refused, { key });
  const checked = validateOption(key, data.value);
  if (!checked.ok) return reject(checked.code, { key, ...checked.details });
  const { value } = checked;
  if (!isOptionKey(key)) return reject('option.unknown', { key });
  if (optionText(state.options, key) === value) return reject('option.unchanged', { key });
  const needs = missingNeed(key, value, state);
  if (needs !== null) return reject('option.needs', { key, needs });
  const previous = state.options.get(key) ?? null;
  return accept({ type: 'OptionChanged', data: { key, value, previous } });
};

const changeSecret = ({ data }: ChangeSecretOption): Answer => {
  const { key, sealed, actorRole } = data;
  const refused = refusal(key, actorRole);
  if (refused !== null) return reject(refused, { key });
  if (!isOptionKey(key) || !isSecretOption(key)) return reject('option.not-secret', { key });
  return accept({ type: 'SecretOptionChanged', data: { key, sealed } });
};

const reset = ({ data: { key, actorRole } }: ResetOption, state: SiteState): Answer => {
  const refused = refusal(key, actorRole);
  if (refused !== null) return reject(refused, { key });
  if (!state.options.has(key) && !state.secrets.has(key)) return accept();
  const previous = state.options.get(key) ?? null;
  return accept({ type: 'OptionReset', data: { key, previous } });
};

/** What lies ahead cannot be old yet: it would keep entries out that are still to be made. */
const prune = ({ data: { before }, metadata }: PruneUsageLog): Answer => {
  const now = Date.parse(metadata.occurredAt) / 1_000;
  const isCut = Number.isSafeInteger(before) && before > 0 && before <= Math.ceil(now);
  return isCut ? accept({ type: 'UsageLogPruned', data: { before } }) : reject('log.cut-invalid');
};

const decide = (command: SiteCommand, state: SiteState): Answer => {
  switch (command.type) {
    case 'InitialiseSite':
      return initialise(command, state);
    case 'ChangeOption':
      return change(command, state);
    case 'ChangeSecretOption':
      return changeSecret(command);
    case 'ResetOption':
      return reset(command, state);
    case 'PruneUsageLog':
      return prune(command);
  }
};

const without = <V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> =>
  new Map([...map].filter(([name]) => name !== key));

const evolve = (state: SiteState, event: SiteEvent): SiteState => {
  const { options, secrets } = state;
  switch (event.type) {
    case 'SiteInitialised':
      return { status: 'initialised', rootUserId: event.data.rootUserId, options, secrets };
    case 'OptionChanged':
      return { ...state, options: new Map(options).set(event.data.key, event.data.value) };
    case 'SecretOptionChanged':
      return { ...state, secrets: new Map(secrets).set(event.data.key, event.data.sealed) };
    case 'UsageLogPruned':
      return state;
    case 'OptionReset': {
      const { key } = event.data;
      return { ...state, options: without(options, key), secrets: without(secrets, key) };
    }
  }
};

export const siteDecider: Decider<SiteCommand, SiteEvent, SiteState, SiteRejection> = {
  initialState,
  decide,
  evolve,
};
