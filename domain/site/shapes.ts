import { flag, nullable, text, whole } from '../shared/shape.ts';
import { dataOf, type Shapes } from '../shared/shapes.ts';
import type {
  OptionChanged,
  OptionReset,
  SecretOptionChanged,
  SiteEvent,
  SiteInitialised,
  UsageLogPruned,
} from './events.ts';

export const siteShapes: Shapes<SiteEvent> = {
  SiteInitialised: dataOf<SiteInitialised>({
    rootUserId: whole,
    selfUseMode: flag,
    demoSite: flag,
  }),
  OptionChanged: dataOf<OptionChanged>({ key: text, value: text, previous: nullable(text) }),
  SecretOptionChanged: dataOf<SecretOptionChanged>({ key: text, sealed: text }),
  OptionReset: dataOf<OptionReset>({ key: text, previous: nullable(text) }),
  UsageLogPruned: dataOf<UsageLogPruned>({ before: whole }),
};
