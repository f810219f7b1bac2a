import type { Role } from '../access/roles.ts';
import { optionText, type StoredOptions } from '../option/read.ts';
import { isInUse, isRedirecting, secretSentTo } from '../option/secret-targets.ts';
import { isOptionKey, isSecretOption, type OptionKey, optionTable } from '../option/table.ts';
import { type OptionProblemCode, validateOption } from '../option/validate.ts';
import { accept, type Decider, type Decision, reject } from '../shared/decider.ts';
import type { UserId } from '../shared/ids.ts';
import { reasonField } from '../shared/reason.ts';
import type { Sealed } from '../shared/sealed.ts';
import type {
  ChangeOption,
  ChangeSecretOption,
  InitialiseSite,
  PruneUsageLog,
  ResetOption,
  SiteCommand,
} from './commands.ts';
import type { OptionChanged, OptionReset, SecretOptionChanged, SiteEvent } from './events.ts';

export type { SiteCommand } from './commands.ts';

export type SiteRejection =
  | 'site.already-initialised'
  | 'option.unchanged'
  | 'option.forbidden'
  | 'option.not-secret'
  | 'option.needs'
  | 'option.takes-no-secret'
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

/** The chosen modes are options like all others, so they are in the log as such too. */
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
  return actorRole >= optionTable[key].writer ? null : 'option.forbidden';
};

const isFilledIn = (key: string, { options, secrets }: SiteState): boolean =>
  isOptionKey(key) && (secrets.has(key) || optionText(options, key) !== '');

/** A login provider without its client id would only lead people into an error page. */
const missingNeed = (key: OptionKey, value: string, state: SiteState): string | null => {
  const definition = optionTable[key];
  if (definition.kind !== 'bool' || value !== 'true' || definition.needs === undefined) return null;
  return isFilledIn(definition.needs, state) ? null : definition.needs;
};

type Retargeted = Readonly<{ key: OptionKey; value: string }>;

/** A secret that was entered for one address is never sent to another: it is taken back. */
const secretTakenBack = ({ key, value }: Retargeted, state: SiteState): readonly OptionReset[] => {
  const secret = secretSentTo(key);
  if (secret === null || !state.secrets.has(secret)) return [];
  if (!isRedirecting(key, value) || !isInUse(secret, state.options)) return [];
  return [{ type: 'OptionReset', data: { key: secret, previous: null, because: key } }];
};

/** The secret of the request, entered again; else what the change reverts. */
const secretWith = (
  { key, value, secret }: Retargeted & Readonly<{ secret: Sealed | undefined }>,
  state: SiteState,
): readonly (SecretOptionChanged | OptionReset)[] => {
  const own = secretSentTo(key);
  if (secret === undefined || own === null) return secretTakenBack({ key, value }, state);
  return [{ type: 'SecretOptionChanged', data: { key: own, sealed: secret } }];
};

const change = ({ data }: ChangeOption, state: SiteState): Answer => {
  const { key, secret } = data;
  const refused = refusal(key, data.actorRole);
  if (refused !== null) return reject(refused, { key });
  const checked = validateOption(key, data.value);
  if (!checked.ok) return reject(checked.code, { key, ...checked.details });
  const { value } = checked;
  if (!isOptionKey(key)) return reject('option.unknown', { key });
  if (secret !== undefined && secretSentTo(key) === null) {
    return reject('option.takes-no-secret', { key });
  }
  const isSame = optionText(state.options, key) === value;
  if (isSame && secret === undefined) return reject('option.unchanged', { key });
  const needs = missingNeed(key, value, state);
  if (needs !== null) return reject('option.needs', { key, needs });
  const secrets = secretWith({ key, value, secret }, state);
  if (isSame) return accept<SiteEvent>(...secrets);
  const previous = state.options.get(key) ?? null;
  const reason = reasonField(data.reason);
  return accept<SiteEvent>(
    { type: 'OptionChanged', data: { key, value, previous, ...reason } },
    ...secrets,
  );
};

const changeSecret = ({ data }: ChangeSecretOption): Answer => {
  const { key, sealed, actorRole, reason } = data;
  const refused = refusal(key, actorRole);
  if (refused !== null) return reject(refused, { key });
  if (!isOptionKey(key) || !isSecretOption(key)) return reject('option.not-secret', { key });
  return accept({ type: 'SecretOptionChanged', data: { key, sealed, ...reasonField(reason) } });
};

const reset = ({ data: { key, actorRole, reason } }: ResetOption, state: SiteState): Answer => {
  const refused = refusal(key, actorRole);
  if (refused !== null) return reject(refused, { key });
  if (!isOptionKey(key)) return reject('option.unknown', { key });
  if (!state.options.has(key) && !state.secrets.has(key)) return accept();
  const previous = state.options.get(key) ?? null;
  return accept<SiteEvent>(
    { type: 'OptionReset', data: { key, previous, ...reasonField(reason) } },
    ...secretTakenBack({ key, value: optionTable[key].default }, state),
  );
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
