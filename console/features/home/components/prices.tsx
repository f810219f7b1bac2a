import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../shared/paths.ts';
import { type OfferedPrice, useOfferedPrices } from '../api/get-prices.ts';

/** At most six places, and two at any rate. */
const dollars = (value: number): string => `$${value.toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1')}`;

const Amounts = ({ price }: Readonly<{ price: OfferedPrice }>) => {
  const { t } = useTranslation('home');
  if (price.kind !== 'tokens') {
    return <td colSpan={2}>{t(`price-${price.kind}`, { price: dollars(price.dollars) })}</td>;
  }
  return (
    <>
      <td>{dollars(price.input)}</td>
      <td>{dollars(price.output)}</td>
    </>
  );
};

/** A few models with their prices; nothing where the site offers none. */
export const Prices = () => {
  const { t } = useTranslation('home');
  const prices = useOfferedPrices().data ?? [];
  if (prices.length === 0) return null;
  return (
    <section className="panel home-prices">
      <header className="panel-head">
        <div>
          <h2 className="panel-title">{t('prices')}</h2>
          <p className="muted prices-unit">{t('price-unit')}</p>
        </div>
        <Link to={paths.pricing}>{t('all-prices')}</Link>
      </header>
      <table aria-label={t('prices')}>
        <thead>
          <tr>
            <th scope="col">{t('price-model')}</th>
            <th scope="col">{t('price-input')}</th>
            <th scope="col">{t('price-output')}</th>
          </tr>
        </thead>
        <tbody>
          {prices.map((price) => (
            <tr key={price.model}>
              <th scope="row">{price.model}</th>
              <Amounts price={price} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
