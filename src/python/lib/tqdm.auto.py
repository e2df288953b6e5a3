from tqdm import *
from tqdm import tqdm, trange
