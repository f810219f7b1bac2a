import { useTranslation } from 'react-i18next';
import { useCopy } from '../clipboard.ts';
import type { TagColour } from '../format/colour.ts';

type Props = Readonly<{
  /** Absent: as the text around it. */
  colour?: TagColour;
  text: string;
}>;

/** A tag, or a mere text, whose click copies it. */
export const CopyTag = ({ colour, text }: Props) => {
  const { t } = useTranslation('common');
  const copy = useCopy();
  return (
    <button
      type="button"
      className={colour ? `copy-tag tone tone-${colour}` : 'copy-text'}
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
