import {
  type CallLimits,
  everyOther,
  readCallLimits,
  userLimitKeys,
} from '../../domain/relay/call-limits.ts';
import { parseObject } from '../protocol/json.ts';

type Rules = ReadonlyMap<string, CallLimits>;

/** `call_limits.…`, compiled once for each change. */
export type CallLimitRules = Readonly<{ users: Rules; groups: Rules; models: Rules }>;

const rulesOf = (text: string | undefined): Rules => {
  const entries = Object.entries(parseObject(text ?? '{}') ?? {});
  return new Map(entries.map(([name, value]) => [name, readCallLimits(value)]));
};

/** null: there are none. */
export const callLimitRulesOf = (texts: ReadonlyMap<string, string>): CallLimitRules | null => {
  const users = rulesOf(texts.get('call_limits.users'));
  const groups = rulesOf(texts.get('call_limits.groups'));
  const models = rulesOf(texts.get('call_limits.models'));
  return users.size + groups.size + models.size > 0 ? { users, groups, models } : null;
};

/** Whose limit it is, and who or what is counted. */
type LimitedBy = 'token' | 'user' | 'group' | 'model';
export type AppliedLimits = Readonly<{ by: LimitedBy; name: string; limits: CallLimits }>;

type LimitedCall = Readonly<{
  tokenId: number;
  tokenLimits: CallLimits | null;
  userId: number;
  group: string;
  model: string;
}>;

const firstOf = (rules: Rules, keys: readonly string[]): CallLimits | undefined => {
  for (const key of keys) {
    const found = rules.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Every limit that a call is under. */
export const limitsOn = (
  rules: CallLimitRules | null,
  { tokenId, tokenLimits, userId, group, model }: LimitedCall,
): readonly AppliedLimits[] => {
  const all: AppliedLimits[] = [];
  const add = (by: LimitedBy, name: string, limits: CallLimits | null | undefined): void => {
    if (limits) all.push({ by, name, limits });
  };
  add('token', String(tokenId), tokenLimits);
  if (rules === null) return all;
  add('user', String(userId), firstOf(rules.users, userLimitKeys(userId, group)));
  add('group', group, firstOf(rules.groups, [group, everyOther]));
  add('model', model, firstOf(rules.models, [model, everyOther]));
  return all;
};
