import type { OptionFeedEntry } from '../../domain/option/feed.ts';
import { compilePrices, type PriceTable } from '../../domain/pricing/compile-prices.ts';
import { maxKeepHours } from '../../domain/relay/response-bucket.ts';
import type { FeedEntry } from '../../infra/ports/bus.ts';
import type { Logger } from '../../infra/ports/logger.ts';
import type { CallLimitRules } from './call-limits.ts';
import { callLimitRulesOf } from './call-limits.ts';
import type { ContentFilter } from './content-filter.ts';
import { contentFilterOf } from './content-filter.ts';
import { defaultAutomaticDisableKeywords } from './disable-keywords.ts';
import type { FamilySettings } from './family-settings.ts';
import { familySettingsOf } from './family-settings.ts';
import { type OpenCallSettings, openCallSettingsOf } from './open-calls.ts';
import type { RateLimits } from './rate-limits.ts';
import { rateLimitsOf } from './rate-limits.ts';
import {
  type BatchSettings,
  batchSettingsOf,
  type DrawingSettings,
  drawingSettingsOf,
} from './task-settings.ts';

/** What the relay takes from the operator's options, compiled once for each change. */
export type RelayOptions = Readonly<{
  prices: PriceTable;
  /** Attempts after the first. */
  retryTimes: number;
  automaticDisable: boolean;
  /** Lower case. */
  disableKeywords: readonly string[];
  /** Sent to providers that require the name of the calling site. */
  serverAddress: string;
  systemName: string;
  families: FamilySettings;
  drawing: DrawingSettings;
  /** Idle time after which a stream sends its client a ping; 0: never. */
  pingMs: number;
  filter: ContentFilter;
  /** null: no rate limit. */
  rateLimits: RateLimits | null;
  /** null: no limit but those of tokens. */
  callLimits: CallLimitRules | null;
  /** How long responses are kept for callers who name them later; 0: not at all. */
  keepResponsesMs: number;
  /** Answers are read to their end after their callers have gone; otherwise they are ended. */
  drains: boolean;
  batches: BatchSettings;
  openCalls: OpenCallSettings;
  /** Bodies of OpenAI's protocol go upstream unchanged. */
  passesBodies: boolean;
}>;

const pingMsOf = (texts: ReadonlyMap<string, string>): number => {
  if (texts.get('general_setting.ping_interval_enabled') !== 'true') return 0;
  const seconds = Number(texts.get('general_setting.ping_interval_seconds') ?? 60);
  return Number.isFinite(seconds) && seconds >= 1 ? seconds * 1_000 : 60_000;
};

const keepResponsesMsOf = (texts: ReadonlyMap<string, string>): number => {
  const hours = Number(texts.get('responses.keep_hours') ?? maxKeepHours);
  return hours > 0 ? Math.min(hours, maxKeepHours) * 3_600_000 : 0;
};

const compile = (texts: ReadonlyMap<string, string>, prices: PriceTable): RelayOptions => {
  const retryTimes = Number(texts.get('RetryTimes') ?? 0);
  const keywords = texts.get('AutomaticDisableKeywords');
  return {
    prices,
    retryTimes: Number.isInteger(retryTimes) && retryTimes > 0 ? Math.min(retryTimes, 20) : 0,
    automaticDisable: texts.get('AutomaticDisableChannelEnabled') === 'true',
    disableKeywords:
      keywords === undefined
        ? defaultAutomaticDisableKeywords
        : keywords
            .split('\n')
            .map((word) => word.trim().toLowerCase())
            .filter((word) => word !== ''),
    serverAddress: texts.get('ServerAddress') ?? '',
    systemName: texts.get('SystemName') ?? 'Tollgate',
    families: familySettingsOf(texts),
    drawing: drawingSettingsOf(texts),
    pingMs: pingMsOf(texts),
    filter: contentFilterOf(texts),
    rateLimits: rateLimitsOf(texts),
    callLimits: callLimitRulesOf(texts),
    keepResponsesMs: keepResponsesMsOf(texts),
    drains: texts.get('general_setting.drain_after_disconnect') !== 'false',
    batches: batchSettingsOf(texts),
    openCalls: openCallSettingsOf(texts),
    passesBodies: texts.get('global.pass_through_request_enabled') === 'true',
  };
};

export type OptionBook = Readonly<{
  apply: (entries: readonly FeedEntry<OptionFeedEntry>[]) => void;
  current: () => RelayOptions;
}>;

/** Options with their defaults until the feed has been read. */
export const createOptionBook = (logger: Logger): OptionBook => {
  const texts = new Map<string, string>();
  const positions = new Map<string, bigint>();
  let options = compile(texts, compilePrices(texts));

  const take = ({ key, position, value }: FeedEntry<OptionFeedEntry>): void => {
    if (position < (positions.get(key) ?? -1n)) return;
    positions.set(key, position);
    if (value === null) texts.delete(key);
    else texts.set(key, value.value);
  };

  return {
    apply: (entries) => {
      for (const entry of entries) take(entry);
      try {
        options = compile(texts, compilePrices(texts));
      } catch (error) {
        // Prices that cannot be read must not replace prices that can.
        logger.error({ err: error }, 'options cannot be used; the prices before stay in force');
        options = compile(texts, options.prices);
      }
    },
    current: () => options,
  };
};
