import type { Recorded } from '../../domain/shared/event.ts';
import type { SiteEvent } from '../../domain/site/events.ts';
import { projector } from '../runtime/projector.ts';
import { optionListTables } from './table.ts';

const row = (key: string, value: string | null, { position }: Recorded) => ({
  key,
  value,
  is_secret_set: false,
  position: Number(position),
});

/** Answers: what has the operator set? Defaults are added when it is read. */
export const optionListProjector = projector<SiteEvent>()({
  name: 'option-list',
  version: 1,
  tables: optionListTables,
  on: {
    SiteInitialised: ({ options, site }, recorded) => {
      const { rootUserId, selfUseMode, demoSite } = recorded.event.data;
      site.put({ id: 1, root_user_id: rootUserId });
      options.put(row('SelfUseModeEnabled', String(selfUseMode), recorded));
      options.put(row('DemoSiteEnabled', String(demoSite), recorded));
    },
    OptionChanged: ({ options }, recorded) =>
      options.put(row(recorded.event.data.key, recorded.event.data.value, recorded)),
    SecretOptionChanged: ({ options }, recorded) =>
      options.put({ ...row(recorded.event.data.key, null, recorded), is_secret_set: true }),
    UsageLogPruned: 'ignored',
    OptionReset: ({ options }, recorded) =>
      options.put(row(recorded.event.data.key, null, recorded)),
  },
});
