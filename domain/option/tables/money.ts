import { defaultPreConsumedTokens, defaultQuotaPerUnit } from '../../pricing/defaults/fallbacks.ts';
import {
  defaultGroupRatios,
  defaultTopupGroupRatios,
  defaultUsableGroups,
} from '../../pricing/defaults/groups.ts';
import {
  defaultAudioCompletionRatios,
  defaultAudioRatios,
  defaultImageRatios,
} from '../../pricing/defaults/media-ratios.ts';
import { defaultModelPrices } from '../../pricing/defaults/model-prices.ts';
import { defaultModelRatios } from '../../pricing/defaults/model-ratios.ts';
import {
  defaultCacheRatios,
  defaultCompletionRatios,
} from '../../pricing/defaults/token-ratios.ts';
import { defaultToolPrices } from '../../pricing/defaults/tool-prices.ts';
import {
  address,
  int,
  json,
  line,
  number,
  type OptionDefinition,
  rootOnly,
  secret,
} from '../definition.ts';

/** Quota, prices and groups. */
export const moneyOptions = {
  QuotaPerUnit: number(defaultQuotaPerUnit, { min: 1, unit: 'quota-per-usd' }),
  QuotaForNewUser: int(0, { unit: 'quota' }),
  QuotaForInviter: int(0, { unit: 'quota' }),
  QuotaForInvitee: int(0, { unit: 'quota' }),
  QuotaRemindThreshold: int(1000, { unit: 'quota' }),
  PreConsumedQuota: int(defaultPreConsumedTokens, { unit: 'tokens' }),
  ModelPrice: json('ratios', defaultModelPrices),
  BatchRatio: number(0.5, { max: 1, unit: 'share' }),
  ModelRatio: json('ratios', defaultModelRatios),
  CompletionRatio: json('ratios', defaultCompletionRatios),
  CacheRatio: json('ratios', defaultCacheRatios),
  AudioRatio: json('ratios', defaultAudioRatios),
  AudioCompletionRatio: json('ratios', defaultAudioCompletionRatios),
  ImageRatio: json('ratios', defaultImageRatios),
  ToolPrice: json('ratios', defaultToolPrices),
  GroupRatio: json('ratios', defaultGroupRatios),
  UserUsableGroups: json('texts', defaultUsableGroups),
} satisfies Record<string, OptionDefinition>;

/** Payment: where people's money goes, and what they get for it. */
export const paymentOptions = rootOnly({
  TopupGroupRatio: json('ratios', defaultTopupGroupRatios),
  Price: number(7.2, { min: 0.000001, unit: 'currency-per-usd' }),
  MinTopUp: int(1, { min: 1, unit: 'usd' }),
  PayAddress: address('base'),
  EpayId: line(),
  EpayKey: secret(),
  CustomCallbackAddress: address('base'),
  LantuApiUrl: address('base'),
  LantuMchId: line(),
  LantuSecretKey: secret(),
  LemonApiKey: secret(),
  LemonStoreId: line(),
  LemonVariantId: line(),
  LemonWebhookSecret: secret(),
});
