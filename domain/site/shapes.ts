import { flag, nullable, optional, text, whole } from '../shared/shape.ts';
import { dataOf, type Shapes, withReason } from '../shared/shapes.ts';
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
  OptionChanged: dataOf<OptionChanged>({
    key: text,
    value: text,
    previous: nullable(text),
    ...withReason,
  }),
  SecretOptionChanged: dataOf<SecretOptionChanged>({ key: text, sealed: text, ...withReason }),
  OptionReset: dataOf<OptionReset>({
    key: text,
    previous: nullable(text),
    because: optional(text),
    ...withReason,
  }),
  UsageLogPruned: dataOf<UsageLogPruned>({ before: whole }),
};
