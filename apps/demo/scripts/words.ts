/** First names, family names and phrases that go together. */
export interface Culture {
  readonly first: readonly string[]
  readonly family: readonly string[]
  readonly phrases: readonly string[]
}

/** Names that have a plain Latin spelling for an address. */
export const cultures: readonly Culture[] = [
  {
    first: [
      'Emma',
      'Olivia',
      'Liam',
      'Noah',
      'Grace',
      'Henry',
      'Ruby',
      'Jack',
      'Amelia',
      'Oscar',
      'Isla',
      'George',
    ],
    family: [
      'Smith',
      'Taylor',
      "O'Neill",
      'Walker',
      'Hughes',
      'Clarke',
      'Bennett',
      'Ward',
      'Foster',
      'Murphy',
    ],
    phrases: [],
  },
  {
    first: ['Jürgen', 'Anke', 'Björn', 'Käthe', 'Lukas', 'Marlene', 'Sören', 'Ute', 'Jonas', 'Frauke'],
    family: ['Müller', 'Weiß', 'Schäfer', 'Köhler', 'Großmann', 'Lange', 'Hübner', 'von Stetten', 'Kraus'],
    phrases: [
      'Können wir den Termin auf nächste Woche legen? Viele Grüße',
      'Der Schlüssel liegt beim Nachbarn, "wie immer".',
      'Schöne Grüße aus Köln!',
    ],
  },
  {
    first: ['Chloé', 'Étienne', 'Hélène', 'Loïc', 'Margaux', 'Rémi', 'Zoé', 'Anaïs', 'Benoît', 'Jean-Luc'],
    family: ['Lefèvre', 'Moreau', 'Garçon', 'Dubois', 'Chevalier', 'Noël', "d'Arcy", 'Perrault', 'Géraud'],
    phrases: [
      'On se retrouve à {hour} près de la gare ? Ça ira très bien.',
      "J'ai laissé le dossier à l'accueil, merci d'avance.",
      'Très bonne idée, à bientôt !',
    ],
  },
  {
    first: ['María', 'José', 'Iñaki', 'Lucía', 'Andrés', 'Begoña', 'Sofía', 'Raúl', 'Inés', 'Joaquín'],
    family: ['García', 'Núñez', 'Peña', 'Ibáñez', 'Muñoz', 'Ortega', 'Sáez', 'Castaño', 'de la Cruz'],
    phrases: [
      '¿Quién trae el café mañana? Yo llevo los vasos, las cucharas y el azúcar.',
      '¡Qué alegría! Nos vemos el sábado.',
      'Llego tarde, empezad sin mí.',
    ],
  },
  {
    first: ['Łukasz', 'Małgorzata', 'Paweł', 'Zofia', 'Grażyna', 'Michał', 'Agnieszka', 'Jan', 'Róża'],
    family: ['Wójcik', 'Kowalski', 'Zieliński', 'Dąbrowski', 'Król', 'Wróbel', 'Pająk', 'Gołąb'],
    phrases: [
      'Dziękuję, {friend}! Do zobaczenia w sobotę.',
      'Spóźnię się {minutes} minut, przepraszam.',
      'Świetny pomysł, zróbmy tak.',
    ],
  },
  {
    first: ['Åsa', 'Bjørn', 'Freja', 'Håkon', 'Ingrid', 'Jörgen', 'Maja', 'Søren', 'Þóra', 'Ylva'],
    family: ['Ångström', 'Bergström', 'Dahl', 'Eriksson', 'Kjær', 'Nygård', 'Øverland', 'Sjöberg', 'Holm'],
    phrases: [
      'Tusen takk, vi ses på lørdag!',
      'Jag är {minutes} minuter sen, börja utan mig.',
      'Kan du tage nøglerne med?',
    ],
  },
  {
    first: ['Ayşe', 'Çağla', 'Emre', 'İpek', 'Mustafa', 'Ömer', 'Şule', 'Ümit', 'Zeynep', 'Oğuz'],
    family: ['Yılmaz', 'Çelik', 'Öztürk', 'Şahin', 'Güneş', 'Aydın', 'Koç', 'Doğan'],
    phrases: [
      'Teşekkürler, görüşürüz!',
      "Toplantı saat {hour}'da, değil mi?",
      'Işıklar açık kalmış, lütfen kapatın.',
    ],
  },
  {
    first: ['Ngọc', 'Hương', 'Đức', 'Thảo', 'Minh', 'Tuấn', 'Lan', 'Phúc'],
    family: ['Nguyễn', 'Trần', 'Lê', 'Phạm', 'Võ', 'Đặng', 'Bùi'],
    phrases: ['Cảm ơn bạn rất nhiều!', 'Hẹn gặp lại lúc {hour} nhé.'],
  },
  {
    first: ['Amara', 'Chidi', 'Ifeoma', 'Kwame', 'Ngozi', 'Thandiwe', 'Tendai', 'Zuri', 'Abebe', 'Wanjiru'],
    family: ['Okafor', 'Mensah', 'Adeyemi', 'Dlamini', 'Mwangi', 'Abara', 'Tesfaye', 'Nkosi'],
    phrases: ['E kaabo! The {meeting} went well, thank you all.', 'Asante sana, tutaonana kesho.'],
  },
  {
    first: ['Aarav', 'Diya', 'Ishaan', 'Kavya', 'Meera', 'Rohan', 'Saanvi', 'Vikram', 'Priya'],
    family: ['Sharma', 'Iyer', 'Patel', 'Reddy', 'Banerjee', 'Kapoor', 'Nair', 'Singh'],
    phrases: ['Namaste! Can we start the {meeting} at {hour}?', 'धन्यवाद, कल मिलते हैं।'],
  },
]

/** Names in other scripts, with the local part of their address and a phrase. */
export const otherScripts: readonly (readonly [name: string, local: string, phrase: string])[] = [
  ['佐藤 さくら', 'sakura.sato', '了解です。明日お願いします。'],
  ['鈴木 一郎', 'ichiro.suzuki', '会議は{hour}からですね。'],
  ['山本 健太', 'kenta.yamamoto', 'ありがとうございます!'],
  ['王小明', 'xiaoming.wang', '好的,谢谢。明天见!'],
  ['李娜', 'na.li', '会议改到{hour},可以吗?'],
  ['陳美玲', 'meiling.chen', '包裹已經收到了,謝謝。'],
  ['김민준', 'minjun.kim', '네, {hour}에 뵙겠습니다.'],
  ['박서연', 'seoyeon.park', '감사합니다! 내일 봐요.'],
  ['Ольга Смирнова', 'olga.smirnova', 'Спасибо, всё получилось! До встречи.'],
  ['Дмитрий Кузнецов', 'dmitry.kuznetsov', 'Опоздаю на {minutes} минут, начинайте без меня.'],
  ['Олена Шевченко', 'olena.shevchenko', 'Дякую, побачимося завтра о {hour}.'],
  ['Ελένη Παπαδοπούλου', 'eleni.papadopoulou', 'Ευχαριστώ πολύ, τα λέμε αύριο.'],
  ['Γιώργος Νικολάου', 'giorgos.nikolaou', 'Θα αργήσω {minutes} λεπτά.'],
  ['فاطمة الزهراء', 'fatima.zahra', 'شكراً جزيلاً، نلتقي قريباً.'],
  ['محمد القاسم', 'mohammed.qasim', 'سأتأخر {minutes} دقائق، ابدؤوا بدوني.'],
  ['נועה כהן', 'noa.cohen', 'תודה רבה, נתראה מחר!'],
  ['अनन्या शर्मा', 'ananya.sharma', 'बहुत धन्यवाद, कल मिलते हैं।'],
  ['สมชาย ใจดี', 'somchai.jaidee', 'ขอบคุณมาก แล้วเจอกันนะ'],
]

/** Domains that are reserved for examples, so that no address is anybody's. RFC 2606. */
export const domains: readonly string[] = [
  'example.com',
  'example.org',
  'example.net',
  'mail.example.com',
  'post.example.org',
  'uni.example.net',
  'studio-nord.example',
  'harbour-books.example',
  'green-valley.example',
]

/** What people write; `{word}` is filled from the list of that name. */
export const templates: readonly string[] = [
  'Can we move the {meeting} to {day}? {hour} would suit me.',
  'The {thing} arrived today, thank you!',
  'Running {minutes} minutes late, please start without me.',
  'Did anyone take the {thing} from the {place}?',
  'Invoice {number} is paid: {amount}, "as agreed" on {day}.',
  'See you at the {place} on {day}, {hour} sharp.',
  'I left the {thing}, the charger, and my keys at the {place}.',
  'Quick question: who keeps the notes of the {meeting}?',
  'She said "not before {day}", so I would not count on it.',
  'Happy birthday! 🎂 The {thing} is on its way.',
  'Great news: {number} people signed up for the {meeting}.',
  'Hello {friend},\n\nthe {thing} is ready. You can fetch it at the {place} from {day} on.\n\nBest wishes',
  'To do before {day}:\n- {thing}\n- {place}\n- call {friend}',
  'Thanks, {friend}. I will look into it after the {meeting}, and write again on {day}.',
  'Two options for {day}: {hour} at the {place}, or a call.',
  'Order {number}: 2 x {thing}, 1 x lamp; total {amount}.',
  'The wifi at the {place} is "{thing}-{number}", all lower case.',
  'Sorry, wrong chat 😅',
  'ok, thanks',
  'Sounds good!',
  '👍',
]

/** What the braces in `templates` stand for; friends and numbers are made up. */
export const words: Readonly<Record<string, readonly string[]>> = {
  meeting: [
    'stand-up',
    'budget review',
    'choir rehearsal',
    'parents evening',
    'book club',
    'site visit',
    'interview',
  ],
  day: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'the 14th', 'next week'],
  hour: ['8:30', '9:15', '11:00', '14:45', '17:30', '19:00'],
  minutes: ['5', '10', '15', '25'],
  thing: ['blue folder', 'parcel', 'second draft', 'bicycle pump', 'guitar', 'contract', 'tent', 'projector'],
  place: ['library', 'café', 'north gate', 'workshop', 'harbour', 'town hall', 'reception desk', 'garden'],
}
