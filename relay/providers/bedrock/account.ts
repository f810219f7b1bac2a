import { configurationError, orRefusal, refuse } from '../../protocol/refusal.ts';
import { namesIn, type ProviderAccount, readJson } from '../shared/account.ts';
import { signAws } from '../shared/aws-signature.ts';

const isRegion = (text: string): boolean => /^[a-z]{2}(-[a-z]+)+-\d$/.test(text);

/** Foundation models of the region, from the control plane. */
export const bedrockAccount = {
  models: (channel, io) =>
    orRefusal(async () => {
      const parts = channel.key.split('|').map((part) => part.trim());
      const region = parts.at(-1) ?? '';
      if ((parts.length !== 2 && parts.length !== 3) || !isRegion(region)) {
        return refuse(configurationError('The key of the channel must end with a region'));
      }
      const suffix = region.startsWith('cn-') ? '.cn' : '';
      const url = new URL(`https://bedrock.${region}.amazonaws.com${suffix}/foundation-models`);
      const [first = '', secret = ''] = parts;
      const call = {
        method: 'GET',
        url,
        body: '',
        service: 'bedrock',
        now: io.now(),
        headers: { accept: 'application/json' },
      } as const;
      const headers =
        parts.length === 2
          ? { authorization: `Bearer ${first}` }
          : signAws(call, { id: first, secret, region }).headers;
      return namesIn(await readJson(io, url.href, headers), 'modelSummaries', 'modelId');
    }),
} satisfies ProviderAccount;
