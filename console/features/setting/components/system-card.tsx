import { useTranslation } from 'react-i18next';
import { useStatus } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';
import { type Options, readOidc } from '../api/options.ts';
import type { SettingCard as Card } from './option-fields.ts';
import { SettingCard } from './setting-card.tsx';
import type { Drafts } from './use-setting-form.ts';

/** Providers that send users back to an address of ours. */
const callbacks = ['oidc', 'github', 'linuxdo'] as const;

/** A card of the system tab, with what its options need before they can be saved. */
export const SystemCard = ({ card, options }: Readonly<{ card: Card; options: Options }>) => {
  const { t } = useTranslation('setting');
  const { server_address } = useStatus();
  const address = server_address || window.location.origin;

  /** Reads the endpoints from the provider's discovery document, so they need not be typed. */
  const withEndpoints = async (drafts: Drafts): Promise<Drafts | null> => {
    const wellKnown = drafts['oidc.well_known']?.trim() ?? '';
    if (wellKnown === '') return {};
    if (!/^https?:\/\//.test(wellKnown)) {
      toast('error', t('oidc-address'));
      return null;
    }
    try {
      const endpoints = await readOidc(wellKnown);
      toast('success', t('oidc-read'));
      return endpoints;
    } catch {
      toast('error', t('oidc-failed'));
      return null;
    }
  };
  const needsAddress = async (): Promise<Drafts | null> => {
    if (options.get('ServerAddress')) return {};
    toast('error', t('server-first'));
    return null;
  };

  const provider = callbacks.find((name) => name === card.id);
  return (
    <SettingCard
      card={card}
      options={options}
      {...(provider && { note: t('note.callback', { address: `${address}/oauth/${provider}` }) })}
      {...(card.id === 'oidc' && { onSave: withEndpoints })}
      {...(card.id === 'payment' && { onSave: needsAddress })}
    />
  );
};
