import { openAiProviders } from './openai/index.ts';
import type { Provider } from './types.ts';

const byType: ReadonlyMap<number, Provider> = new Map([...openAiProviders]);

/** The provider behind a channel type; undefined for types that this relay does not speak. */
export const providerOf = (channelType: number): Provider | undefined => byType.get(channelType);
