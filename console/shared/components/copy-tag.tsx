import { useTranslation } from 'react-i18next';
import { useCopy } from '../clipboard.ts';
import type { TagColour } from '../format/colour.ts';

type Props = Readonly<{ colour: TagColour; text: string }>;

/** A tag whose click copies its text. */
export const CopyTag = ({ colour, text }: Props) => {
  const { t } = useTranslation('common');
  const copy = useCopy();
  return (
    <button
      type="button"
      className={`copy-tag tone tone-${colour}`}
      title={t('copy-named', { text })}
      onClick={(event) => {
        event.stopPropagation();
        void copy(text);
      }}
    >
      {text}
    </button>
  );
};
