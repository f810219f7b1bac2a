import { earlierProviders } from './earlier-providers.ts';
import { laterProviders } from './later-providers.ts';
import { modelsOfEarlierTypes } from './models-of-earlier-types.ts';
import { modelsOfHostingTypes } from './models-of-hosting-types.ts';
import { modelsOfLaterTypes } from './models-of-later-types.ts';
import type { Provider } from './provider.ts';

/** Every type of channel there is. */
export const providers: readonly Provider[] = [...earlierProviders, ...laterProviders];

const byId = new Map(providers.map((provider) => [provider.id, provider]));

export const providerOf = (type: number): Provider | undefined => byId.get(type);

/** The address that a channel of this type calls; no trailing slash. */
export const baseUrlOf = (type: number, own: string): string =>
  own === '' ? (byId.get(type)?.baseUrl ?? '') : own;

const models: Readonly<Record<number, readonly string[]>> = {
  ...modelsOfEarlierTypes,
  ...modelsOfLaterTypes,
  ...modelsOfHostingTypes,
};

/** Names that the form offers for a channel of this type; empty where any name will do. */
export const defaultModelsOf = (type: number): readonly string[] => models[type] ?? [];
