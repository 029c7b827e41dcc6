/** Common in passwords: words for password, login, love and pets, things and places, keyboard rows. Letters only. */
const WORDS = `
adgangskode adminpass adminpassword anything asdfghjklqwertyuiop badpassword bankpassword batterystaple
bestpassword changeit changeme changemelater changemenow changemeplease changepass changepassword changethis
changethispassword companypassword computerpassword contrasena contraseña correct correcthorse
correcthorsebatterystaple default defaultpassword defaults easypassword emailpassword enterpassword
enteryourpassword everything forgetpassword forgotpassword geslo goodpassword guestpassword hardpassword
haslo heslo horsebatterystaple idontcare idonthaveone idontknow idontremember iforgot iforgotit
iforgotmypassword ihatepasswords ihatethis incorrect incorrectpassword insertpassword insertpasswordhere
internetpassword invalidpassword jelszo kennwort longpassword losenord lozinka lösenord masterpassword
motdepasse mustchange mylogin mynewpassword myoldpassword mypass mypasscode mypassphrase mypassword
mypasswordis mypasswords mysecret mysecretpassword mywifi newpass newpassword nopass nopasswd nopassword
notapassword nothing nothingatall officepassword oldpassword parola parool pass passcode passe passkey
passme passord passpass passphrase passw passwd password passwordabc passwordadmin passwordhere passwordis
passwordone passwordonetwothree passwordpassword passwordqwerty passwords passwordtwo passwort passworte
passwrd paswoord pleasechange pleasechangeme pleaseletmein pswd pword resetit resetme resetpassword
rootpassword safepassword salasana secretcode secretkey secretpassword secretsecret secretword
securepassword senha sifre sifremi simplepassword something strongpassword supersecret supersecretpassword
supersecure supersecurepassword temp temporary temporarypassword temppass temppassword tempuser testaccount
testpass testpassword thepassword thisisalongpassword thisisapassphrase thisisapassword thisisasecret
thisismypassword thisismysecret thisisnotapassword thisisthepassword topsecret troubador troubadour unknown
unknownpassword userpassword verylongpassword wachtwoord weakpassword whatever whateveryouwant
whatismypassword whatisthepassword whatsmypassword whocares whoknows wifi wifipassword wireless workpassword
wrongpassword yourpassword yourpasswordhere yourpasswordisincorrect

access accesscode accessdenied accessgranted account accounting accounts admin adminadmin administrador
administrateur administrator adminroot admins adminuser adobe agent agentops agentopsadmin agentopspassword
agents airforce allaccess allow aloha amazon android anonymous anybody apple appleapple army backup backups
bar baz benutzer benvenuto bienvenido bienvenidos bienvenue blackberry bonjour business canon ciao cisco
ciscocisco cobol coder coders coding college company companyname compaq computer computers control
controller controlplane corporate corporation cracker database debian dell demo demodemo demouser desktop
developer developers development director discord docker doctor dropbox drupal ebay email emails employee
employees engineer engineering enterprise ericsson ethernet everybody example examples excel facebook fedora
finance firewall fleet foo foobar foobarbaz fortran gateway github gitlab gmail goodbye goodday goodluck
goodmorning goodnight google googlegoogle guest guests hacker hackerman hackers hacking hackme hacktheplanet
hallo hallohallo hardware hello hellofriend hellohello hellokitty hellome helloo hellothere helloworld
helloyou helpdesk helpme hewlett heyyou hithere hola holahola hosting hostmaster hotmail huawei human
humanresources iamalive iamawesome iambatman iamcool iamfree iamgod iamgroot iamhappy iamhere iamironman
iamlegend iamrich iamsherlocked iamthebest iamtheone instagram intel internet intranet invoice ipad iphone
itismeagain itsme itsmemario java javascript jenkins joomla juniper justatest justtrustme keyboard
knockknock konnichiwa kubernetes laptop lenovo letmego letmein letmeinletmein letmeinn letmeinnow
letmeinplease letmeout linkedin linksys linux linuxlinux login loginlogin loginme logins logon macbook
machine machines macintosh magento management manager marine marines marketing member members microsoft
modem mongodb monitor motorola mouse myaccount mycompany myname mynameis mynameisearl mynameisjohn myspace
mysql namaste napster navy netflix netgear network networks nihao nikon nobody nokia nurse nvidia office
officer opendoor opensaysme opensesame openthedoor openup operations operator ops oracle ourcompany outlook
packard packardbell pascal paypal payroll photoshop pinterest police postgres postgresql postmaster
powerpoint president printer production programmer programming python reddit redhat redis resources robot
robotrobot robots root rootme rootroot router routers safety salaam salam salamat sales salesforce salut
sample samsung samsunggalaxy school secure secured security server servers service services sesame shalom
signin signmein signup skype slack snapchat software soldier somebody sony spacex spotify staff staging
steam string student students superadmin superman superuser supervisor support switch sysadmin sysop system
systemadmin systems teacher teachers teams telegram tesla test tester testing testingtesting tests testtest
testtesttest testuser testuserone thinkpad thisisatest tiktok toor toshiba trust trustme trustmenot trustno
trustnobody trustnoone twitch twitter typescript ubuntu university unix user username users usuario
utilisateur visitor webadmin webmaster website welcome welcomeback welcomehome welcomes welcometo
welcometothejungle welcomewelcome whatsapp whoami whoareyou wikipedia willkommen windows windowsten
windowsxp winter wordpress xiaomi yahoo yahoocom youtube zoom

aishiteru allmine amor amorcito amore amormio amour amoureux angel angelbaby angelface angelica angelina
angelito angels babe babes baby babybaby babyblue babyboy babyboys babycakes babydoll babyface babygirl
babygirls babylove babyphat bailey beagle bear bears bella bellabella bestfriend bestfriends
bestfriendsforever blackangel blackdragon blackpanther blizzard bluedragon boyfriend brother brothers
buddies buddy buddyboy buffalo bug bugs bugsbunny bulldog bulldogs bumblebee bunnies bunny buttercup
butterflies butterfly cat catcat catdog catfish catlover cats catwoman charlie charlieandthechocolatefactory
charliebrown charlies cheetah chicken chickens chihuahua cobra coco cookie cookiemonster cookies cooper
corazon cougar cougars coyote cupcake cupcakes cuteness cutie cutiepie daddy daddysgirl daisy daisydog
dancingqueen darkangel daughter devil devilmaycry devils dinosaur dinosaurs disneyprincess dog dogcat dogdog
doggie doggy doglover dogs dolfin dolphin dolphins donald donaldduck dragon dragonball dragonballz
dragondragon dragonfire dragonfly dragonheart dragonlord dragons dragonslayer duck duckling ducks duke eagle
eagles elephant elephants eyeofthetiger falcon falcons fallenangel families family familyfirst familyforever
father findingnemo firefox firstlove fish fisherman fishing fox foxes foxy friend friends friendsforever
friendship frog froggie froggy frogs funkymonkey garfield ginger giraffe girlfriend gizmo goldfish gorilla
gorillaz grandma grandpa grizzly guardianangel gummybear gypsy habibi habibti hamster hawk hawks heaven
heavenly hell hellfire hellyeah hippo honey honeybear honeybee honeybunch honeybunny honeypie horse
horselover horses hunter hunterhunter hurricane husband icandoit icandothis ichliebedich ihateit
ihatemondays ihatemyjob ihatemylife ihateyou ihateyouall iloveanime ilovecats ilovecheese ilovechocolate
ilovecoffee ilovedogs ilovefootball ilovegod iloveher ilovehim ilovehorses iloveit ilovejesus ilovelondon
ilovelucy iloveme ilovemusic ilovemybaby ilovemyboyfriend ilovemycat ilovemycats ilovemydad ilovemydog
ilovemydogs ilovemyfamily ilovemygirlfriend ilovemyhusband ilovemykids ilovemylife ilovemymom ilovemymum
ilovemyself ilovemyson ilovemywife ilovenewyork iloveparis ilovepizza ilovesex ilovesoccer ilovethis
iloveyou iloveyouall iloveyoualways iloveyoubaby iloveyoudad iloveyouforever iloveyouiloveyou iloveyoumom
iloveyoumore iloveyoumum iloveyouso iloveyousomuch iloveyoutoo iloveyouu imissher imissyou imissyousomuch
ineedlove ineedmoney ineedyou inlove insect iwantit iwantmoney iwantyou iwantyouback iwillbeback
iwillsurvive iwillwin jack jackjack jackson jaguar jaguars jake jasper jetaime jetaimemonamour joker king
kingdom kingking kingkong kingofkings kings kitten kittens kitties kitty kittycat koala labrador lady
ladybug leopard liebe liebling lightning lion lionking lions littleangel littleprincess lizard lonewolf
longhorn longhorns love lovebaby lovebird lovebirds lovebug loved lovegod lovehate loveheart lovehurts
loveis loveisblind loveislife loveislove lovejesus loveletter lovelife lovelove lovelovelove lovely loveme
lovemenot lover loverboy lovergirl lovers loves lovesong lovestory loveyou loveyouall loveyoualways
loveyoubaby loveyouforever loveyoumom loveyoumore loveyoumum loveyousomuch lucky luckyboy luckycharm
luckydog luckyluke luckyme luckyone luckystar luna lunalovegood lunaluna luvyou maggie mahalkita mahalko
mama mamama mamamia mamapapa mamita max maximus maxmax maxwell meinschatz merlin miamor micasa mickey
mickeymouse micorazon milo mine minnie minniemouse misty mivida molly mollydog mom momanddad momdad mommy
moms monamour monkey monkeyboy monkeybusiness monkeybutt monkeyman monkeys moonlight moonshine mother muffin
mumanddad mumdad mummy murphy mustang mustangs myangel myangels mybabe mybabies mybaby mybabyboy mybabygirl
mybestfriend mybike myboy myboys mybrother mycar mycat mycats mychildren mydad mydaughter mydog mydogs
mydogsname myfamily myfamilyfirst myfather myfriend myfriends mygirl mygirls mygrandma myhome myhouse
myhusband mykids mylife mylifeismine mylo mylove mylovely myloves mymom mymother mymum myonlylove myself
mysister myson mysons mysunshine mysweetheart mywife nala nemo oliver onelove oscar owl panda pandabear
pandas panther panthers papa papapapa patches peace peaceandlove peacelove peaches peanut peanutbutter
peanuts pegasus penguin penguins pepper peppermint pepperoni phoenix pinguin pinkpanther polarbear ponies
pony poodle precious prince princes princesa princesita princess princesse princesspeach prinzessin puma
pumpkin pumpkinpie pumpkins puppies puppy puppydog puppylove pussycat queen queenbee queens rabbit rainbow
rainbowdash rainbows raindrop rascal rattlesnake raven ravens reddragon rex rhino riley rocknroll rockon
rockstar rocky rockyou rooster rosie rottweiler ruby rufus rusty sadie sam sammy samson sandy sarang
sarangheyo sasha sassy schatz schatzi scooby scoobydoo scorpio scorpion scorpions scout sergeant shadow
shadowcat shadowhunter shadows shark sharks sharky shelby silverfox simba sister sisters smokey smokie snake
snakes snoopy snowball snowflake snowman snowwhite socks son sophie sparky spider spiderman spiders spike
spot stairwaytoheaven stallion starcraft stardust starfish stargate starlight stella storm stormy sugar
sugarplum sunday sunflower sunflowers sunlight sunrise sunset sunshine sunshiny sweet sweetbaby sweetdreams
sweetheart sweetie sweetiepie sweetlove sweetness sweetpea sweety swordfish sylvester tank taz teamo
teamomucho teamoteamo teddy teddybear tequiero tequieromucho thelionking thor thunder thunderbird
thunderbolt tiamo tiamoamore tiger tigerlily tigers tigger tiggers tinkerbell toby tornado tortoise trixie
truelove tucker turtle turtles unicorn unicorns viper wecandoit werewolf whale whitetiger wife winnie
winniethepooh wolf wolfgang wolfpack wolverine wolverines wolves yeswecan yesyoucan youandi youandme
youandmeforever youaremysunshine zebra zeus ziggy zoe

aaaaaa aaabbb aaabbbccc aabbcc aabbccdd aabbccddee aabbccddeeff abababab abc abcabc abcd abcdabcd abcde
abcdef abcdefg abcdefgh abcdefghi abcdefghij abracadabra accord admiral adventure adventures adventuretime
africa airbus airforceone airplane alabama alakazam alaska albania alcohol alfaromeo algeria algerie
alhamdulillah allah allahuakbar alleluia always alwaysandforever alwaysloveyou amazing amen america american
americanidol americanpie amiga amigas amigos amigosporsiempre amsterdam ankara antidisestablishmentarianism
apollo apolloeleven applejack applepie apples arabia areyouready argentina arizona arschloch asshole
assholes astonmartin athens atlanta auckland audi australia austria autumn awesome awesomeness azerty
azertyuiop azertyuiopqsdfghjklm azucar bacon baconandeggs badass badassmofo badboy badboys badgirl baerchen
baghdad baller ballin banana bananas bananasplit bangalore bangkok bangladesh banzai bastard bazooka beach
beachboy beachboys beachbum beautiful beautifulgirl beautifullife beauty beautyandthebeast beavis
beavisandbutthead becool beer beerbeer beetle behappy beijing belgium believe believeinyourself believer
bentley bepositive beretta berlin bestrong bible bigboobs bigboss bigboy bigcock bigdaddy bigdick bigdog
bigfoot bigmac bigmoney bigone bigred bigsexy billionaire bingo bingobingo birthday bismillah bitch bitches
bitchplease bitcoin bitcoins biteme blabla blablabla black blackbird blackblack blackcat blackdog blackhawk
blackhole blackjack blackknight blackmagic blackout blackpearl blackpower blackrose blackstar blackwater
blahblah blahblahblah bless blessed blessings blessme blockchain blossom blowjob blowme blue bluebell
blueberry bluebird blueblue blueeyes blueknight bluemoon bluesea bluesky bluestar bluewater blumen bmw
bmwbmw boeing bogota bonheur bonita bonito boobies boobs boomboom boomer boricua bosnia boss bosslady
bossman boston boys boyscout boysrule brasil brazil breakfast brisbane britain broadway brobro bromance
bronx brooklyn bros brownie brownies brussels bucuresti budapest buddha buddhist budlight budweiser
buenosaires bugatti buick bulgaria bullet bulletproof bullshit burgerking burrito butter butthead bye byebye
cadillac cairo california californialove camaro camelot camry canada candycane candyland candyman cannabis
cappuccino captain captainhook captainjack captainmorgan carino carpediem carrot cash cashmoney casino
caterpillar celica challenger champagne charger chaton cheese cheeseburger cheesecake cherries cherry
cherryblossom cherrypie chevrolet chevy chica chicago chile china chiquita chocolat chocolate chocolatecake
chocolates chouchou christ christmas chrysler church cielo citroen civic cjkysirj classified clave
claveclave cocacola cocaine cocksucker coconut coffee coffeecoffee coke cologne colombia colonel colorado
commando confidential contrasenia coolboy coolcat coolcool cooldude coolgirl coolguy coolio coolkid coolness
copenhagen corazones corolla corona corvette cosmos coucou cowboy cowgirl cowgirls crazy crazybitch crazyboy
crazycat crazyfrog crazygirl crazylove cristovive croatia crypto cryptocurrency cthutq cuba cunt cyprus
czech dadada dallas damnit danmark december delhi demon demons denmark denver desert deutschland diamond
diamondgirl diamonds dickhead dietcoke dingdong dioses diosesamor diosmio discover discovery dodge dodgeram
dogecoin dollar dollars dontworrybehappy donut dork doudou doughnut drpepper drunk dubai dublin ducati dude
dudedude dudes dumb dumbass dupa dupadupa earth easter easy easyas easyasabc easymoney easypeasy
easypeasylemonsqueezy eclipse egypt eiffeltower emo emogirl engel engelchen england espana españa espresso
estrella estrellita ethereum eureka europe evolution excalibur excelsior explorer fabulous faithful
faithhopelove fall familia fantastic february fiat ficken finland fire fireandice fireball firebird
firefighter firefighters fireman firestorm firetruck fireworks fktrcfylh florida flower flowergirl
flowerpower flowers ford fordfocus fordford fordmustang fordtruck forest forever foreveralone foreverandever
foreverinlove foreverlove foreveryoung fotboll fourtwenty francais france freak freaks freaky freedomfighter
freedomrocks fresita friday fridaynight fruehling fuck fucker fuckers fuckfuck fucking fuckit fuckme fuckoff
fuckthat fuckthepolice fuckthesystem fucktheworld fuckthis fuckthisshit fuckyou fuckyouall fuckyoubitch
fuckyoufuckyou fuckyoutoo fussball futbol futebol fußball fylhtq galaxy ganesh ganesha gangsta gangster
ganja garden gardener garlic gatita gatito geek geeks geheim geheimnis geheimwort general germany geronimo
getmoney getrich getrichordietryin gfhjkm ghana ghbdtn ghost ghostrider ghosts girlie girlpower girls
girlsrule gjhjkm glock gobigorgohome gocubsgo godbless godblessamerica godblessme godblessyou godfirst
godisgood godisgoodallthetime godisgreat godislord godislove godismylife gofuckyourself gold golden
goldenboy goldeneagle goldengate goldstar golfgti goodboy goodgirl goodlife goodness goodtimes goodvibes
goodvibesonly goose gorgeous gospel gotcha gothic graceofgod greece green greenapple greenbay greeneyes
greengreen greentea gtr guadalupe guinevere guinness guitarra gummy gunner habana haha hahaha hahahaha
hahahahaha hakuna hallelujah halloween hallowelt handsome hanuman happiness happy happybirthday happyday
happydays happyface happyfamily happyfeet happyhappy happylife happynewyear hardcore harekrishna harlem
harley harleydavidson harmony hawaii hayabusa hehehe heineken hejhej hejsan helicopter hellas helsinki
hemligt hentai herbst hermana hermano hermosa heroin hickorydickorydock hihihi hindustan hippie hippy
hipster hocuspocus hodl hoihoi holiday holidays holland hollywood holyghost holyspirit homie homies hond
honda hondaaccord hondacivic hongkong hopeful horny hotboy hotchocolate hotdog hotgirl hotmama hotrod
hotstuff hottie hotties hotwheels houston howareyou howdy hrvatska hummer humptydumpty hund hungary hustle
hustler ice iceage icecold icecream iceland iceman idiot idiots impossible impossibleisnothing impreza
incredible incredibleindia india indian indonesia indonesiaraya ingodwetrust insane insanity inshallah iran
iraq ireland islam island islands israel istanbul italia italiano italy iwillsucceed jackass jackdaniel
jackdaniels jackpot jacksparrow jagermeister jaimatadi jaisairam jaishriram jakarta jamaica january japan
japanese jeep jeepwrangler jehovah jellybean jellybeans jellyfish jerusalem jesucristo jinglebells
johnniewalker johnnywalker july jumanji jungle jupiter justbelieve justdoit justforfun justforyou justice
justme kaboom kalle kanker karma kasia kathmandu katze kawasaki kentucky kenya kickass kiev killall killbill
killer killerbee killers killjoy killme killyou kingarthur kingpin kisses kisskiss kissme kissmyass
kissmyfeet kitkat knight knights kocham kochamcie kochanie konijn korea krishna lalala lalalala lamborghini
lancelot lancer landrover lasagna lasvegas lavender legalize lekker lemon lemonade lemons letsgo letsparty
letsrock liberty lickme lifegoeson lifeisbeautiful lifeisgood lifeislife lifesucks likeaboss lilies lincoln
lisboa lisbon liveandlearn liveandletdie livefree livefreeordie livelaughlove liveyourlife ljubov lmao lol
lollipop lollipops lollol lolol lololol lolololol london londonbridge londoncalling londonengland
longtimeago lordjesus lordofgod loremipsum loremipsumdolor loremipsumdolorsitamet losangeles loser losers
lottery loulou lubov lucifer lunita lyubov macaroni magical magician magicman maksim malaysia mamacita mango
manhattan maniac manila manzana march marcin marijuana mariposa mariposas mars marshmallow martini
maryhadalittlelamb maserati mashallah master masterkey mastermaster mastermind masterpiece masters maus
mausebaer mausi maverick may mazda mcdonalds medellin melbourne memento mementomori mercury merrychristmas
merryxmas messiah mexicano mexico miami miamibeach miata miclave micontrasena mifamilia mihija mihijo
milkshake million millionaire millions minette minou miracle miracles misamores mishijos misiaczek misiek
mitsubishi monday money moneymaker moneyman moneymoney moneypower monster monsterenergy monsters montreal
morocco moscow moskva motherfucker motherfuckers mountain mountaindew mountains mtndew muffins muhammed
mumbai munchen munich muslim mustanggt mystery nanana nananana nashville nasty nastya naughty nederland nena
nenita nepal neptune nerd nerds netherlands never neverforget nevergiveup neverland nevermore neversaynever
newyear newyorkcity newyorker newzealand nigeria nigga niggas nissan nono nonono norge northcarolina norway
nounou november nutella ocean oceanblue oceans october ohmygod ohmygosh okok okokok omgomg omnamahshivaya
onceuponatime onetwothree onetwothreefour onetwothreefourfive onetwothreefourfivesix onion opel orange
orangejuice oranges orchid orchids oreo oreos osaka oslo pakistan pakistanzindabad papi papillon papito
paradise parasiempre parisfrance parol party partygirl partyhard partytime pathfinder peaceful peaceofmind
peach pearl pelle penis pepsi pepsicola perfect perfection perkele perrita perrito peru peugeot phantom
philippians philippines piece pieceofcake pilipinas pimp pimpdaddy pimpin pineapple pingpong pink pinkie
pinklady pinkpink pinkrose pinky pinoy pirate pirates pizza pizzahut pizzapizza planet platinum playa pluto
poes poland polska pontiac poppy porn porno pornstar porsche porscheboxster porsiempre portugal potato
potatoes prague praha praisegod praisethelord preciosa pretty prettygirl prettyinpink prettyprincess
prettywoman private privet proverbs psalm psalms psycho puertorico punk punks purple purplehaze purplelove
purplepurple purplerain pussy qsdfghjklm quickbrownfox rambo random rangerover raspberry red redbull redcar
redhead redlight redline redneck redred redrose redroses redwine remington renault revelation rich richboy
richgirl rifle ringaroundtherosie riodejaneiro river rivers rjirf rocket rocketman rockthecasbah rofl
rollsroyce romania romans rome rosebud rosebush rotterdam russia russian saab sahara sairam sanantonio
sandiego sanfrancisco santaclaus satan satellite saturday saturdaynight saturn savior saviour scheisse
scheiße schmetterling schweiz scotland scotlandforever seaside seat seattle secret secretagent secretgarden
secretlove secreto secrets seoul september serbia sexy sexybaby sexyback sexybeast sexybitch sexyboy
sexygirl sexylady sexymama sexysexy sexything shanghai shazam shinebrightlikeadiamond shit shitface shithead
shiva shivshakti shooter siempre siemprejuntos silver silverado silverstar simple simpleman singapore
sixsixsix skaterboi skaterboy skeleton skittles skoda skull skulls sky skyblue skylight skyline skylinegtr
slava slave slovakia slovenia slut smartass smithandwesson smokeweed smokeweedeveryday snickers sniper
soldierboy soleil solnce solnyshko sommar sommer sonne sonnenschein southafrica space spaceman spaceship
spaghetti spain spring springbreak springtime sprite srbija srilanka starbucks sternchen stfu stockholm
stoner strawberries strawberry stupid stupidme subaru subhanallah submarine success successful suckit suckme
suckmydick sugarfree suisse summerlove summers summersun summertime suomi supercalifragilistic
supercalifragilisticexpialidocious supra suprise surprise suzuki sverige swag swagger swagmaster swagswag
sweden sweethomealabama switzerland tacobell tacos taiwan tehran tennessee tequila texas thailand thankgod
thanksgiving thankyou thankyougod thankyoujesus thankyoulord thebeast thebest theboss theduke theend thegame
thegreat thegreatone theking theman theone thequeen thequickbrownfox thequickbrownfoxjumpsoverthelazydog
therock thething thetruth theworld thug thuglife thursday ticktock tictac titanium tobeornottobe
tobeornottobethatisthequestion today together togetherforever tokyo tomato tomboy tomorrow topgun toronto
tothemoon toutou toyota tractor tralala transam treasure treasureisland triumph truck trucker trucks tuesday
tulip tulips tunisia turkey turkiye twinkletwinkle twinkletwinklelittlestar ukraine unitedkingdom
unitedstates universe uranus usa vacances vacation vagina vakantie vampir vancouver vanilla vanillaice
vauxhall vegas venezuela venice venus vespa vfrcbv victorious victory vienna vietnam viking virgen
virgendeguadalupe vivachile vivamexico vodka voetbal volkswagen volvo waheguru wales warhammer warrior
warszawa washington water waterfall waterloo watermelon wednesday weed weedweed weekend weirdo welkom
whatsup whatsupdoc whatthefuck whatthehell whazzup whiskey whisky white whiteboy whitehouse whitepower
whiterose whitewhite whoisthis whoisyourdaddy whore whosyourdaddy wien wildrose wine winner winners winning
wintertime winterwonderland witch witchcraft wizard wizards wrangler wtf wtfwtf wxcvbn xmas yadayada yahweh
yamaha yeahyeah yellow yellowyellow yesno yesyes yfnfif yjdsqgfhjkm yolo yoloswag zombie zombies zonnetje
zurich

aqswde aqwzsx asdasd asdasdasd asdf asdfasdf asdfasdfasdf asdfg asdfgh asdfghj asdfghjk asdfghjkl asdfjkl
asdfqwer asdfzxcv asdqwe asdqwezxc asdzxc azsxdc azsxdcfv azsxdcfvgb dsa dsadsa edcrfv ewqewq fdsa fdsafdsa
fdsarewq gfdsa ghjkl hgfdsa jkl jkljkl jkluio kjhgfdsa lkjhgf lkjhgfdsa lkjhgfdsapoiuytrewq mlpnko mlpoknbji
mnbvcx mnbvcxy mnbvcxz mnbvcxzlkjhgfdsapoiuytrewq nopqrst okmijn okmnji plokij plokijuh plugh poiu poiuy
poiuyt poiuytr poiuytre poiuytrew poiuytrewq poiuytrewqlkjhgfdsa qazqaz qazwsx qazwsxedc qazwsxedcrfv
qazwsxedcrfvtgb qazxsw qazxswedc qazxswedcvfr qpalzm qpalzmwoskxn qpwoeiruty qwaszx qwaszxerdfcv qwe qweasd
qweasdzxc qweqwe qweqweqwe qweqweqweqwe qwer qwerasdf qwerasdfzxcv qwerqwer qwert qwerta qwerty qwertyadmin
qwertyasdf qwertyasdfgh qwertyasdfghzxcvbn qwertyqwerty qwertyqwertyqwerty qwertyu qwertyui qwertyuio
qwertyuiop qwertyuiopasdf qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm qwertyuiopqwertyuiop qwertz qwertzu
qwertzui qwertzuiop rewq rewqrewq rfvtgb stuvwxyz tgbyhn trewq tyuiop uiop uvwxyz wasd wasdwasd wasdwasdwasd
wqewqe xswzaq xyz xyzxyz xyzzy yaqwsx yaqxsw yxcvbn yxcvbnm zaq zaqwsx zaqwsxcde zaqxsw zaqxswcde
zaqxswcdevfr zxasqw zxc zxcasd zxcasdqwe zxccxz zxcv zxcvasdf zxcvasdfqwer zxcvb zxcvbn zxcvbnm
zxcvbnmasdfghjkl zxcvbnmasdfghjklqwertyuiop zxcvbnmzxcvbnm zxcvzxcv zxczxc zxczxczxc
`;

/** Words and phrases that are too common for a password. Compared with the letters of the password only. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
