import { useTranslation } from 'react-i18next';
import { useChannelTypes, useTypeLabel } from '../../../shared/channel-types.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import type { Reader } from './shown-value.ts';

/** What the texts of entries need. Others than administrators never see a channel. */
export const useReader = (): Reader => {
  const { t } = useTranslation(['audit', 'setting', 'user', 'wallet', 'common']);
  const types = useChannelTypes({ enabled: useIsAdmin() }).data;
  const label = useTypeLabel();
  return {
    t,
    display: useQuotaDisplay(),
    typeName: (id) => {
      const type = types?.find((known) => known.id === id);
      return type && label(type);
    },
  };
};
