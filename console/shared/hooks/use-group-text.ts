import { useTranslation } from 'react-i18next';
import type { UserGroups } from '../account.ts';

/** Built-in descriptions, and the text for each in the language of the page. */
const shippedDescriptions = {
  默认分组: 'group-default',
  vip分组: 'group-vip',
  用户分组: 'user-group',
} as const;

const isShipped = (text: string): text is keyof typeof shippedDescriptions =>
  Object.hasOwn(shippedDescriptions, text);

/** What a choice of groups shows for one: its name, its description and its ratio. */
export const useGroupText = (): ((name: string, group: UserGroups[string]) => string) => {
  const { t } = useTranslation('common');
  return (name, { desc, ratio }) => {
    const text = isShipped(desc) ? t(shippedDescriptions[desc]) : desc;
    return t('group-option', { name, desc: text, ratio });
  };
};
