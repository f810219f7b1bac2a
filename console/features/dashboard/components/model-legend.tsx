import { useTranslation } from 'react-i18next';
import type { Series } from '../../../shared/format/series.ts';

type Props = Readonly<{
  series: readonly Series[];
  /** Null: all of them. */
  only: string | null;
  onChoose: (name: string | null) => void;
}>;

/** Which colour is which model; a click shows that one alone, a second click all again. */
export const ModelLegend = ({ series, only, onChoose }: Props) => {
  const { t } = useTranslation('dashboard');
  return (
    <ul className="chart-legend" aria-label={t('legend')}>
      {series.map(({ name, colour }) => (
        <li key={name}>
          <button
            type="button"
            aria-pressed={only === name}
            className={only !== null && only !== name ? 'is-off' : ''}
            onClick={() => onChoose(only === name ? null : name)}
          >
            <i style={{ background: colour }} />
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
};
