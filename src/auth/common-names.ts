/** Common in passwords: people, sport, music, films, books and games. Letters only. */
const WORDS = `
aaron abigail abraham adam adrian adriana adriano agnes ahmed aileen alan albert alberto alejandra alejandro
aleksandr aleksandra alessandra alessandro alex alexa alexalex alexander alexandra alexandre alexandria
alexis alfred alfredo ali alice alicia alina alison allen allison amanda amandaamanda amber amelia amina
amir amy ana anastasia anderson andre andrea andreas andrei andres andrew andrews andrey andy angela angelo
anita ann anna annaanna annabelle anne annette annie anthony antoine anton antonella antonio antony april
ariana arianna arjun arnold arthur arturo ashley ashleyashley ashraf astrid audrey august aurora austin
baker barbara barbie bart bartsimpson beatrice beatriz becker becky ben benedict benjamin benny bernard
bernardo bernie beth bethany betty beverly bianca bianchi bill billie billy billybob blake bob bobbob bobby
bobmarley bonnie brad bradley brandon brandy brenda brendan brent brett brian briana brianna bridget britney
brittany brooke brown bruce brucelee bruno bryan caitlin cameron camila camilla camille candice candy carla
carlo carlos carlton carmen carol carolina caroline carolyn carrie casey casper cassandra cassie catalina
catarina catherine cathy cecilia celeste celine cesar chan charlene charles charlotte chelsea cheryl chester
chloe chris chrisbrown chrischris chrissy christian christiana christie christina christine christoph
christophe christopher christy cindy claire clara clarence clark claude claudia claudio clayton clement
cliff clifford clinton colin colleen connie connor constance corey courtney craig cristian cristiano
cristianoronaldo cristina crystal curtis cynthia damian damien dan dana daniel daniela danieldaniel daniele
daniella danielle danilo danny darius darlene darren dave david daviddavid davide davidson davis dawn dean
debbie deborah denise dennis derek desiree destiny diana diane diaz diego dieter dimitri dominic dominik
dominique donaldtrump donna dorothy doug douglas dustin dylan eddie edgar edison eduard eduardo edward edwin
eileen elaine eleanor elena eleonora elias elisa elisabeth elizabeth ella ellen ellie elliot elvis
elvispresley emilia emilie emily emma emmanuel enrico enrique eric erica erik erika erin ernest ernesto
esmeralda esposito esteban esther ethan eugene eva evan evelyn fabian fabio fabrice faith fatima federico
felicia felipe felix fernanda fernando ferrari fischer florence flores florian frances francesca francesco
francis francisco franck francois frank frankie franklin fred freddie freddy frederic frederick gabriel
gabriela gabriele gabriella gabrielle garcia gary gavin geoffrey george georgia georgina gerald gerard
gerardo german giacomo gianluca gilbert gina giorgio giovanna giovanni giulia giuseppe gladys glenn gloria
gomez gonzales gonzalez gordon grace graham greg gregory greta guillaume guillermo gustavo hannah
hannahmontana hans harald harold harriet harris harrison harry harryharry harrypotter harvey hassan heather
hector heidi helen helena helene helmut henrik henry herbert herman hermione hernandez hill holly
homersimpson hope howard hugo ian ibrahim ignacio igor ingrid irene iris isaac isabel isabella isabelle ivan
ivana ivanov ivanova jackie jacob jacqueline jacques jade jaime james jamesbond jamesjames jamie jan jane
janet janice janine jared jasmin jasmine jason javier jay jayden jayjay jean jeanette jeanne jeff jeffrey
jenna jennifer jenny jeremiah jeremy jermaine jerome jerry jesse jessica jessicaalba jessie jesus
jesuschrist jesusfreak jesusis jesusisking jesusislord jesuslovesme jesuslovesyou jesussaves jill jim
jimihendrix jimmy jimmypage joan joana joanna joanne joe joel joey joeyjoey johan johann johanna johannes
john johncena johndeere johndoe johnjohn johnlennon johnny johnnydepp johnpaul johnsmith johnson johnwayne
jojo jojojo jon jonas jonasbrothers jonathan jones jordan jordanjordan jorge jose josef joseph josephine
josh joshua joshuajoshua joyce juan juancarlos juanita juanjose judith judy julia julian juliana julie
julien juliet julieta juliette julio julius june justin justinbieber justine kaitlyn karen karim karin
karina karl karla karolina kate katerina katharina katherine kathleen kathryn kathy katie katrina kayla
keith kelly kelsey ken kennedy kenneth kenny kerry kevin kevinkevin khaled khan kim kimberly kimmie kirk
kirsten klaus konstantin kowalski kristen kristian kristin kristina kristine kristy kumar kurt kurtcobain
kyle lance larissa larry latoya laura lauralaura lauren laurence laurent laurie lawrence leah lee leigh leon
leonard leonardo leonidas leonie leslie leticia lewis liam lillian lily linda lindalinda lindsay lindsey
lionel lionelmessi lisa lisalisa liza lloyd logan lola lolita lopez lorena lorenzo loretta lori lorraine
louis louisa louise luc luca lucas lucia luciano lucie lucille lucy luis luisa lukas luke lukeskywalker
lydia lynn madeleine madeline madison magdalena maher mahmoud malcolm manfred manuel manuela marc marcel
marcela marcelo marcia marco marcos marcus margaret margarita maria mariacarey mariah mariamaria mariana
marianne marie mariela marilyn marilynmanson marilynmonroe marina mario mariobros mariokart marion marisa
marisol marissa mark markus marlene marley marlon marta martha martin martina martine martinez marvin mary
maryann maryjane marymary mathew mathias mathieu matilda matt matteo matthew matthias maureen maurice
mauricio mauro maya megan meghan melanie melinda melissa melody mercedes mercedesbenz meredith meyer mia
michael michaela michaeljackson michaeljordan michaelmichael michaelscott michal michel michele michelle
michellemichelle miguel mike mikemike miketyson mikhail milan mildred milena miller mindy mira miranda
miriam mitchell mohamed mohammad mohammed monica monika monique morales morgan morgane moses muhammad muller
mustafa nadia nadine nancy naomi natalia natalie natasha nathalie nathan nathaniel neil nelson nguyen
nguyenvan nicholas nick nickjonas nicky nicola nicolas nicole nicolenicole nigel nikita nikki nikolai
nikolas nina noah noel nora norma norman nowak octavia olga oliveira olivia olivier omar orlando pablo
pamela paola paolo pascale patel patrice patricia patricio patrick patrickstar paul paula paulina pauline
paulo pedro penelope percy pereira perez perry peter peterpan peterpeter petra petrov petrova phil philip
philippe phillip phyllis pierre priscilla rachel rachelle rafael rajesh ralph ramirez ramon ramona randall
randy raquel raul ray raymond rebecca rebekah regina reginald rene renee ricardo richard richie rick ricky
rita rivera robbie robert roberta roberto robertson robin robinhood robinson rodney rodrigo rodriguez roger
rogers roland roman ronald ronaldinho ronaldo ronnie rosa rosalie rose rosemary roses ross rossi roxanne roy
russell ruth ryan ryanryan sabine sabrina sally salvador salvatore samantha samuel samuele sanchez sandra
santos sara sarah sarahsarah saskia schmidt schneider scott sean sebastian selena selenagomez serena sergei
sergey sergio seth shane shannon sharma sharon shaun shawn sheila shelly sherlock sherlockholmes sherry
shirley sierra silva silvia simon simona simone simpson simpsons singh smith sofia sofie sonia sonya sophia
souza stacey stacy stanislav stanley stefan stefania stefano stephan stephane stephanie stephen stephencurry
steve stevejobs steven stewart stuart sue sullivan summer susan susanna susanne suzanne sven svetlana sydney
sylvia sylvie tamara tammy tanja tanya tara tatiana taylor taylorswift ted teresa terrance terry thedoctor
theodore theresa therese thierry thomas thomasthomas tiffany tim timothy tina todd tom tomandjerry tomas
tomcat tomcruise tommy tomtom tony tonyhawk tonystark torres tracey tracy travis trevor tricia tristan troy
tyler tylerdurden tyrone tyson ursula valentin valentina valentine valentino valeria valerie vanessa vera
veronica veronika vicente vickie vicky victor victoria vikram vincent vinicius viola violet virginia
virginie vitoria vivian viviana vladimir wagner walker walter wanda wang warren wayne weber wendy wesley
whitney wilfred will william williams willow willy wilson winston wright xavier yasmin yolanda yusuf yvette
yvonne zachary zhang zoey

aberdeen acmilan airjordan ajax ajaxamsterdam alianzalima allblacks arsenal arsenalarsenal arsenalfc asroma
astonvilla astros athlete atlantabraves atletico atleticomadrid atleticomineiro avalanche ayrton badgers
barca barcaforever barcelona barcelonafc baseball basketball bayern bayernmunchen bayernmunich bayernmünchen
bearcats beckham benfica bengals besiktas biking birmingham birminghamcity blackburn blackburnrovers
blackhawks bluedevils bocajuniors bolton boomersooner borussia borussiadortmund bostonceltics bostonredsox
botafogo bowling boxer boxing braves bremen broncos browns bruins bryant buccaneers buckeyes bulls burnley
canadiens cardiff cardiffcity cardinals cavaliers celtic celticfc celtics champion champions championsleague
chargers cheer cheerleader cheerleading chelseafc chelseafootballclub chennaisuperkings chicagobears
chicagobulls chicagocubs chiefs chivas clevelandcavaliers clubamerica coach collingwood colocolo colts
corinthians cornhuskers cowboys cricket crimsontide cruzeiro crystalpalace cubs cycling dallascowboys
davidbeckham denverbroncos derbycounty detroitredwings dhoni dodgers dortmund dundee dynamo eintracht
essendon everton evertonfc fcbarcelona fcbayern fckoeln fcporto federer fenerbahce fernandotorres feyenoord
feyenoordrotterdam fieldhockey fiorentina fitness flamengo flames floridagators floridastate fluminense
flyers football footballclub footballer footballfootball footballislife footballs forcabarca formula
formulaone forzainter forzajuve forzamilan forzanapoli forzaroma frankfurt fulham galatasaray gators gerrard
giants glasgow glasgowceltic glasgowrangers goalkeeper goldenstate goldenstatewarriors golf golfer golfgolf
golfing gooners greenbaypackers gremio gunners gymnast gymnastics gymrat halamadrid hamburg hamburger
handball hawkeyes heat hertha hibernian hockey homerun hoosiers hotspur houstonrockets hulkhogan hurricanes
huskers icehockey intermilan internacional internazionale ipswich ipswichtown jayhawks jazz jets judo juve
juventus kaka karate kickboxing knicks kobe kobebryant kungfu ladodgers lakers lalakers lazio lebron
lebronjames leeds leedsunited leicester leicestercity leomessi liverpool liverpoolfc liverpoolfootballclub
losangeleslakers lyonnais madrid magic manchester manchestercity manchesterunited mancity manunited manutd
mapleleafs maradona marseille mavericks messi mets miamidolphins miamiheat michaelphelps michaelschumacher
michigan milano minnesotavikings motocross motorbike motorcycle mumbaiindians nadal napoli nascar newcastle
newcastleunited newenglandpatriots newsaints newyork newyorkgiants newyorkjets newyorkknicks newyorkyankees
neymar norwich norwichcity nottinghamforest nyknicks oaklandraiders ohiostate ohiostatebuckeyes oilers
olympique olympiquedemarseille orioles packers palmeiras paris parissaintgermain patriots pele philadelphia
philadelphiaeagles phillies pistons pittsburghpenguins pittsburghsteelers plymouth poker porto portsmouth
psveindhoven quarterback rabbitohs racer racing rafaelnadal raiders rangers rangersfc realmadrid redskins
redsox redwings reymysterio riverplate rockets rogerfederer rolltide roma rooney royalchallengers rugby
runner running sachin sachintendulkar saints sanantoniospurs saopaulo schalke schumacher seahawks seminoles
senna sevilla shaq shaquille sheffield sheffieldwednesday skateboard skateboarding skater skiing slamdunk
slbenfica snowboard snowboarding soccer soccerball soccerislife soccerstar softball sooners southampton
spartak sporting sportinglisboa sports sportscenter springboks spurs steelers stevengerrard stonecold
striker stuttgart sunderland suns superbowl surfer surfing swansea swimmer swimming taekwondo tarheels
tendulkar tennis texans tigerwoods titans torontomapleleafs tottenham tottenhamhotspur touchdown trabzonspor
trojans undertaker valencia valentinorossi vascodagama vfbstuttgart vikings viratkohli viscabarca volleyball
volunteers wallabies warriors waynerooney werderbremen westham westhamunited whitesox wolverhampton workout
worldchampion worldcup wrestlemania wrestler wrestling yankees ynwa youllneverwalkalone zenit zidane

abba abbeyroad acdc adele aerosmith aladdin albusdumbledore aliceinchains alien aliens alliance
allyouneedislove alohomora americanidiot anakin anakinskywalker aquaman aragorn arcticmonkeys arianagrande
ariel armin arthas aryastark assassin assassins assassinscreed attackontitan avadakedavra avatar avengers
aventura axlrose babyyoda backinblack backstreet backstreetboys backtothefuture baggins bambi bangtan
barbiedoll barbiegirl bassguitar batman batmanandrobin batmanbatman battlefield battlestar bazinga
beammeupscotty beastieboys beatles beegees belieber beliebers bellaswan bender bettercallsaul bettyboop
beyonce bigbang bigbangtheory bigbird biggie biggiesmalls bilbo bilbobaggins billieeilish billiejean
blackeyedpeas blackops blackpink blacksabbath blackwidow bladerunner bleach blink bloodysunday bluepill blur
bobafett bohemianrhapsody bond bonjovi bonou bowie bowser braveheart breakingbad britneyspears brucewayne
brunomars bts btsarmy buffy buffythevampireslayer bulbasaur buzzlightyear callofduty captainamerica
captainkirk captainmarvel captainpicard carljohnson cartman casablanca celinedion chandler chandlerbing
charizard charmander chewbacca chewie chilipeppers christinaaguilera cinderella clarkkent cloudstrife
coldplay comfortablynumb counter counterstrike cowabunga creeper cullen cypresshill daddyyankee daenerys
daftpunk damonsalvatore dance dancedance dancer dancing daredevil darkknight darkside darksideofthemoon
darthmaul darthvader daryldixon davidbowie davidguetta deadmau deadpool deanwinchester deathknight deathnote
deathstar deeppurple deepspacenine defleppard deloreandelorean demilovato depechemode despacito
desperatehousewives dexter diablo diablodiablo digimon directioner directioners disney disneyland
disneyworld divergent dobby doctorwho donkey donkeykong dota dotatwo doubleoseven drake drdre drummer drums
drwho dumbledore dumbo dundermifflin duranduran dwightschrute edsheeran edwardcullen eeyore elmo elsa
elsaanna eltonjohn eminem eminememinem empire entersandman ericcartman evanescence evangelion everquest exo
expectopatronum expectopatronus expelliarmus ezio fallout falloutboy familyguy fantasticfour felixthecat
fiftycent fiftycents fightclub finalfantasy firefly flash fleetwoodmac foofighters forrestgump forthehorde
fortnite foxmulder freddiemercury freedom friendsfriends frodo frodobaggins frozen frozenthrone fullmetal
fullmetalalchemist futurama galactica galadriel gameboy gamecube gamemaster gameofthrones gameover gamer
gamergirl gamers gaming gandalf gandalfthegrey gandalfthewhite gearsofwar genesis geralt ghibli ghostbusters
gijoe gimli girlsgeneration gladiator godfather godzilla goku goldeneye goldfinger gollum goodcharlotte
goodfellas gordonfreeman gossipgirl gotham gottacatchemall grandtheftauto greenday greenlantern greysanatomy
groot gryffindor guardiansofthegalaxy guitar guitarhero guitarman gunit gunsandroses gunsnroses hadouken
hakunamatata halflife halo haloreach hansolo harrystyles hastalavista hastalavistababy heavymetal hedgehog
hedwig heisenberg heman hermionegranger herobrine heyjude highwaytohell hinata hiphop hobbit hodor hogwarts
hokage horde hotelcalifornia housemd hufflepuff hulk hungergames hyrule iamyourfather icecube ichigo
illbeback illidan imaginedragons inception incrediblehulk indianajones interstellar intheend inuyasha
ironmaiden ironman itachi iwanttobelieve jacobblack jayz jedi jediknight jedimaster jenniferlopez jigglypuff
jlo joeytribbiani jonsnow judaspriest jurassicpark justiceleague justintimberlake kakashi kamehameha kanye
kanyewest katniss katnisseverdeen katyperry kenobi kermit kermitthefrog khaleesi kingdomhearts kingsofleon
klingon korn krypton kryptonite ladygaga lannister laracroft leagueoflegends ledzeppelin legendofzelda
legolas letitbe letitgo letsdance liampayne lightyagami likeaprayer likeavirgin lilwayne limpbizkit lineage
linkinpark linkinparkk linkzelda littlemermaid livelongandprosper livinonaprayer loislane loki looneytunes
lordoftherings loseyourself lotr louistomlinson luffy luigi luisfonsi madagascar madonna maiden makeitso
mammamia mandalorian maplestory mariahcarey marshall marshallmathers marshmello masterchief masterofpuppets
masteryoda matrix maytheforce maytheforcebewithyou medalofhonor megadeth megaman megatron metalgear
metalgearsolid metalhead metallica metroid mewtwo michaelscofield mickjagger middleearth mileycyrus
millenniumfalcon minecraft minecrafter missionimpossible misspiggy modernwarfare monkeydluffy mordor
morpheus morrowind mortalkombat motherofdragons mrspock mulan muppets muse music musica musical musician
musicislife musiclover musicman mychemicalromance myprecious narnia naruto narutouzumaki nedstark neo
nevermind niallhoran nightelf nightwing nightwish ninja ninjas ninjaturtles nintendo nintendods nirvana
nirvananirvana nothingelsematters notorious notoriousbig oasis obiwan obiwankenobi oblivion offspring olaf
onedirection onepiece onering oneringtorulethemall onetreehill optimusprime overwatch pacman paladin
panicatthedisco paramore pearljam peeta peterparker philcollins piano pianoman picard piglet pikachu
pinkfloyd pinocchio playboy playboybunny player playgame playgirl playmate playstation playstationthree
playtime pocahontas pokemon pokemongo pokemonmaster pokerface poohbear popeye portal powerpuff
powerpuffgirls powerranger powerrangers predator princessleia prisonbreak pulpfiction pumbaa punisher
punkrock queenqueen quidditch rachelgreen radiohead rageagainst rageagainstthemachine ragnarok rammstein
rapper rapstar rapunzel ravenclaw rbd rebelde redhot redhotchilipeppers redpill reggae reservoirdogs
residentevil rickgrimes rihanna rivendell roadrunner roblox robloxroblox robocop rockandroll rollingstones
romeosantos ronweasley rugrats rundmc runescape sailormoon sakura samanddean samurai samuraijack samwise
sanandreas saruman sasuke sasukeuchiha sauron saxophone saymyname scarface scully sephiroth serenity
sesamestreet severussnape sexandthecity shakeitoff shakira sheldon sheldoncooper shera sherlocked shinee
shogun shrek silenthill silmarillion silversurfer simpleplan singer siriusblack skrillex skyfall skyrim
skywalker slayer slimshady slipknot slipknotslipknot slytherin smeagol smellsliketeenspirit snoopdog
snoopdogg solidsnake songohan songoku sonic sonicthehedgehog soundgarden southpark sparta spartacus spartan
spartans spicegirls spock spongebob spongebobsquarepants squarepants squirtle stairway stark startrek
starwars starwarsfan starwarsrocks stewiegriffin sting stormtrooper streetfighter subzero sumfortyone
supergirl superjunior supermario supermariobros supernatural sweetchildomine systemofadown tardis targaryen
teenagemutantninjaturtles tekken terminator terraria tetris thanos theavengers thebeatles thecakeisalie
thecure thedarkknight theforce thegodfather thehobbit thelegendofzelda thelichking thematrix theoc theoffice
theoffspring thepolice therollingstones thetruthisoutthere thewalkingdead thewitcher thexfiles
thirtysecondstomars thisissparta thorodinson thriller thunderbirds thunderstruck tiesto timon titanic
toinfinityandbeyond tolkien tombraider tool totoro toystory transformers triforce trinity trumpet tupac
tupacshakur tweetie tweety tweetybird twentyonepilots twilight tyrion tyrionlannister uchiha umbrella
useyourforce ussenterprise uzumaki vader valarmorghulis vampire vampirediaries vampires vanhalen vegeta
venom vicecity violin voldemort voyager wakanda wakandaforever walkingdead waltdisney walterwhite warcraft
warcraftthree warlock wastelander wearethechampions weezy wewillrockyou whitesnake whitneyhouston
whysoserious winchester winteriscoming wishyouwerehere witcher withintemptation wonderwall wonderwoman
worldofwarcraft wutang wutangclan xbox xboxlive xboxthreesixty xfiles xmen yellowsubmarine yesterday yoda
yoshi youknownothing youknownothingjonsnow youngmoney youshallnotpass yugioh zaynmalik zelda zeppelin
`;

/** Names that are too common for a password. Compared with the letters of the password only. */
export const COMMON_NAMES: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
