import type { i18n as I18n } from 'i18next';
import { useTranslation } from 'react-i18next';
import en from '../../../locales/en/audit-entries.json' with { type: 'json' };
import zh from '../../../locales/zh/audit-entries.json' with { type: 'json' };
import { useChannelTypes, useTypeLabel } from '../../../shared/channel-types.ts';
import { useIsAdmin } from '../../../shared/session.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import type { Reader } from './shown-value.ts';

/** Texts of this screen alone: the first load of every other one does without them. */
const addEntryTexts = (i18n: I18n): void => {
  if (i18n.getResource('zh', 'audit', 'field.name') !== undefined) return;
  i18n.addResourceBundle('zh', 'audit', zh);
  i18n.addResourceBundle('en', 'audit', en);
};

/** What the texts of entries need. Others than administrators never see a channel. */
export const useReader = (): Reader => {
  const { t, i18n } = useTranslation(['audit', 'setting', 'user', 'wallet', 'common']);
  addEntryTexts(i18n);
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
