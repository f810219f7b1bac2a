import { flag, list, object, optional, text, whole } from '../shared/shape.ts';
import { dataOf, type Shapes, withPersonal } from '../shared/shapes.ts';
import type { TokenChanged, TokenCreated, TokenEvent, TokenTerms } from './events.ts';

const terms = object<TokenTerms>({
  name: text,
  expiredTime: whole,
  unlimitedQuota: flag,
  remainQuota: whole,
  modelLimitsEnabled: flag,
  modelLimits: list(text),
  allowIps: list(text),
  group: text,
  requestsPerMinute: optional(whole),
  tokensPerMinute: optional(whole),
  concurrentRequests: optional(whole),
});
const ofToken = object({ tokenId: whole, userId: whole, keyHash: text });

export const tokenShapes: Shapes<TokenEvent> = {
  TokenCreated: dataOf<TokenCreated>({
    tokenId: whole,
    userId: whole,
    sealedKey: text,
    keyHash: text,
    terms,
    ...withPersonal,
  }),
  TokenChanged: dataOf<TokenChanged>({
    tokenId: whole,
    userId: whole,
    keyHash: text,
    terms,
    previous: terms,
    setsBudget: optional(flag),
    ...withPersonal,
  }),
  TokenEnabled: ofToken,
  TokenDisabled: ofToken,
  TokenDeleted: ofToken,
};
