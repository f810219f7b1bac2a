import type { OptionFeedEntry } from '../../domain/option/feed.ts';
import type { Bus, Stop } from '../ports/bus.ts';

export type SiteAddress = Readonly<{
  /** Whether the operator states that the site is reached over TLS. */
  isHttps: () => boolean;
  start: () => Promise<void>;
  stop: Stop;
}>;

/** Follows the option that holds the address of the site. */
export const watchSiteAddress = (bus: Bus): SiteAddress => {
  let isHttps = false;
  let stop: Stop = async () => undefined;
  return {
    isHttps: () => isHttps,
    start: async () => {
      const watch = await bus.feed<OptionFeedEntry>('options').watch((entries) => {
        for (const { key, value } of entries) {
          if (key === 'ServerAddress') isHttps = /^https:/i.test(value?.value ?? '');
        }
      });
      stop = watch.stop;
    },
    stop: () => stop(),
  };
};
