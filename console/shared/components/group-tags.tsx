import { useTranslation } from 'react-i18next';
import { colourOfGroup } from '../format/colour.ts';
import { CopyTag } from './copy-tag.tsx';
import { ToneTag } from './tone-tag.tsx';

/** Groups of a comma list, `default` first. No group means: the group of the user. */
export const GroupTags = ({ groups }: Readonly<{ groups: string }>) => {
  const { t } = useTranslation('common');
  const names = groups
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .sort((a, b) => Number(b === 'default') - Number(a === 'default') || a.localeCompare(b));
  if (names.length === 0) return <ToneTag colour="orange">{t('user-group')}</ToneTag>;
  return (
    <span className="tag-row">
      {names.map((name) => (
        <CopyTag key={name} colour={colourOfGroup(name)} text={name} />
      ))}
    </span>
  );
};
