import type { DomainEvent } from './events.ts';

type Text = string | readonly string[];
type NameOf<T> = Extract<keyof T, string>;
type PathsOf<D> = {
  [K in NameOf<D>]: D[K] extends Text | undefined
    ? K
    : NonNullable<D[K]> extends object
      ? `${K}.${NameOf<NonNullable<D[K]>>}`
      : never;
}[NameOf<D>];
type DataOf<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>['data'];

const reportTexts = [
  'report.promptEn',
  'report.description',
  'report.state',
  'report.imageUrl',
  'report.failReason',
  'report.buttons',
  'report.properties',
  'report.data',
] as const;

/**
 * Members of events with information about a person beyond their number: names, addresses, prompts
 * and answers. They are sealed when an event is appended. Members of the type `SealedPersonal` are
 * sealed already and are not listed.
 */
const personalFields = {
  UserRegistered: ['username'],
  UserProfileChanged: ['username'],
  UserSettingsChanged: ['settings.webhookUrl'],
  TokenCreated: ['terms.name', 'terms.allowIps'],
  TokenChanged: ['terms.name', 'terms.allowIps', 'previous.name', 'previous.allowIps'],
  TaskSubmitted: ['prompt', 'state', 'properties'],
  TaskAccepted: ['description', 'properties'],
  TaskProgressed: reportTexts,
  TaskSucceeded: reportTexts,
  TaskFailed: ['reason', ...reportTexts],
  // A provider's text about a call may repeat parts of it.
  RequestFailed: ['message'],
} as const satisfies { readonly [T in DomainEvent['type']]?: readonly PathsOf<DataOf<T>>[] };

const none: readonly string[] = [];

export const personalPathsOf = (eventType: string): readonly string[] =>
  (personalFields as Readonly<Record<string, readonly string[]>>)[eventType] ?? none;

/** All of them, whatever the type of the event. */
export const personalPaths: readonly string[] = [...new Set(Object.values(personalFields).flat())];
