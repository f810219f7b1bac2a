import { isOffered, labelOf, providers } from '../../domain/channel/catalogue.ts';
import { isKeyOfManyLines } from '../../domain/channel/key-form.ts';
import { keyForms } from '../../domain/channel/key-forms.ts';
import type { ProviderFacts } from '../../domain/channel/provider-facts.ts';
import type { ChannelType } from '../contract/channel.ts';

const otherOf = ({ other }: ProviderFacts): ChannelType['other'] =>
  other === undefined
    ? null
    : {
        meaning: other.meaning,
        required: other.required === true,
        default: other.default ?? '',
      };

const toWire = (provider: ProviderFacts): ChannelType => ({
  id: provider.id,
  label: { zh: labelOf(provider, 'zh'), en: labelOf(provider, 'en') },
  colour: provider.colour,
  offered: isOffered(provider),
  base_url: provider.baseUrl,
  base_url_required: provider.baseUrlRequired === true,
  base_url_meaning: provider.baseUrlMeaning ?? null,
  key_form: provider.keyForm === undefined ? null : keyForms[provider.keyForm].hint,
  key_has_lines: isKeyOfManyLines(provider.id),
  other: otherOf(provider),
  takes_organization: provider.takesOrganization === true,
  warning: provider.warning ?? null,
  sign_up_url: provider.signUpUrl ?? null,
  reads_balance: provider.readsBalance === true,
  lists_models: provider.listsModels === true,
});

/** The console's facts of providers. */
export const channelTypesOnWire: readonly ChannelType[] = providers.map(toWire);
