import $ from 'jquery';

export function followNews(show) {
  let lastId = 0;

  function poll() {
    $.getJSON('/news', { since: lastId })
      .done((news) => {
        for (const { id, text } of news) {
          lastId = id;
          show(text);
        }
      })
      .always(() => setTimeout(poll, 1000));
  }
  poll();
}
