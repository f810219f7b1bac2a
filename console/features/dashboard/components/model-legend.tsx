import { useTranslation } from 'react-i18next';
import { modelColour } from './model-colour.ts';

type Props = Readonly<{
  models: readonly string[];
  /** Null: all of them. */
  only: string | null;
  onChoose: (model: string | null) => void;
}>;

/** Which colour is which model; a click shows that one alone, a second click all again. */
export const ModelLegend = ({ models, only, onChoose }: Props) => {
  const { t } = useTranslation('dashboard');
  return (
    <ul className="chart-legend" aria-label={t('legend')}>
      {models.map((model) => (
        <li key={model}>
          <button
            type="button"
            aria-pressed={only === model}
            className={only !== null && only !== model ? 'is-off' : ''}
            onClick={() => onChoose(only === model ? null : model)}
          >
            <i style={{ background: modelColour(model) }} />
            {model}
          </button>
        </li>
      ))}
    </ul>
  );
};
